# The wheels of a pin file for this system, unpacked.
{ pythonPackage, system }:
pins:
builtins.mapAttrs (
  project: pin:
  pythonPackage { inherit project pin; inherit (pin) depends; }
) (builtins.fromJSON (builtins.readFile pins)).pins.${system}
