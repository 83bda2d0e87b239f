# The Debian packages of a file of pins, as sources, by their names.
{ architecture, fetchDeb }:
/**
  # Type

  ```
  readDebs :: Path -> { ${package} :: Derivation; }
  ```
*/
file:
let
  pins = builtins.fromJSON (builtins.readFile file);
in
builtins.mapAttrs (
  package: pin:
  fetchDeb {
    inherit package;
    inherit (pins) suite;
    inherit (pin)
      version
      file
      sha1
      sha256
      ;
    # `all` stands in the file name of a package that has no compiled code.
    architecture =
      if builtins.match ".*_all[.]deb" pin.file != null then "all" else architecture.debian;
  }
) (pins.pins.${architecture.debian} or { })
