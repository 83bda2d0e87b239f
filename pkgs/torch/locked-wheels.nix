# The wheels of a pin file, by project. Without the file there are none.
{ system, pythonPackage }:
/** Type: lockedWheels :: Path -> { ${project} :: Package; } */
lock:
if builtins.pathExists lock then
  builtins.mapAttrs (
    project: pin:
    pythonPackage { inherit project pin; depends = [ ]; }
  ) ((builtins.fromJSON (builtins.readFile lock)).pins.${system} or { })
else
  { }
