# The pinned wheels of this system, unpacked: `pythonPackages.numpy`.
# Each carries the names of those it needs (`depends`) and its source (`source`).
{ pythonPackage, system }:
let
  pins = builtins.fromJSON (builtins.readFile ./pins.json);
in
builtins.mapAttrs (
  project: pin:
  pythonPackage {
    inherit project pin;
    inherit (pin) depends;
  }
) pins.pins.${system}
