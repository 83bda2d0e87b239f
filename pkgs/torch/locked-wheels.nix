# The wheels of a pin file, by project. Without the file there are none.
{
  system,
  pythonPackage,
}:
/**
  Type: lockedWheels :: Path -> { ${project} :: Package; }
*/
lock:
let
  inherit (builtins)
    fromJSON
    mapAttrs
    pathExists
    readFile
    ;
in
if pathExists lock then
  mapAttrs (
    project: pin:
    pythonPackage {
      inherit project pin;
      depends = [ ];
    }
  ) ((fromJSON (readFile lock)).pins.${system} or { })
else
  { }
