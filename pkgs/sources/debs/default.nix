# The pinned Debian packages of this system, as sources: `debs."gcc-12"`.
{ architecture, fetchDeb }:
let
  pins = builtins.fromJSON (builtins.readFile ./pins.json);
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
) pins.pins.${architecture.debian}
