# The Debian packages of a pin file, as sources, by name.
{ architecture, fetchDeb }:
/** Type: readDebs :: Path -> { ${package} :: Derivation; } */
file:
let
  pins = builtins.fromJSON (builtins.readFile file);
in
builtins.mapAttrs (
  package: pin:
  fetchDeb (
    pin
    // {
      inherit package;
      inherit (pins) suite;
      # The file name of a package without compiled code ends in `all`.
      architecture =
        if builtins.match ".*_all[.]deb" pin.file != null then "all" else architecture.debian;
    }
  )
) (pins.pins.${architecture.debian} or { })
