# The wheels of a pin file for this system, unpacked, by project. Without the file there are none.
{ pythonPackage, system }:
/**
  `dependsOf` gives the dependencies of a package from its pin.

  Type: readWheels :: { file :: Path; dependsOf :: AttrSet -> [String | Package]; } -> { ${project} :: Package; }
*/
{ file, dependsOf }:
if builtins.pathExists file then
  builtins.mapAttrs (
    project: pin:
    pythonPackage { inherit project pin; depends = dependsOf pin; }
  ) ((builtins.fromJSON (builtins.readFile file)).pins.${system} or { })
else
  { }
