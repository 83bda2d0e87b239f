# The wheels of a pin file for this system, unpacked, by project. Without the file there are none.
{ fetchWheel, system, unpackWheel }:
/**
  `dependsOf` gives the dependencies of a package from its pin.

  Type: readWheels :: { file :: Path; dependsOf :: AttrSet -> [String | Package]; } -> { ${project} :: Package; }
*/
{ file, dependsOf }:
if builtins.pathExists file then
  builtins.mapAttrs (
    project: pin:
    unpackWheel {
      name = "python-${project}-${pin.version}";
      depends = dependsOf pin;
      source = fetchWheel { inherit project; inherit (pin) version file sha256; };
    }
  ) ((builtins.fromJSON (builtins.readFile file)).pins.${system} or { })
else
  { }
