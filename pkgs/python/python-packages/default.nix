# The pinned wheels of this system, unpacked: `pythonPackages.numpy`.
# Each carries the names of those it needs (`depends`) and its source (`source`).
{
  system,
  fetchWheel,
  unpackWheel,
}:
let
  pins = builtins.fromJSON (builtins.readFile ./pins.json);
in
builtins.mapAttrs (
  project: pin:
  unpackWheel {
    name = "python-${project}-${pin.version}";
    inherit (pin) depends;
    source = fetchWheel {
      inherit project;
      inherit (pin) version file sha256;
    };
  }
) pins.pins.${system}
