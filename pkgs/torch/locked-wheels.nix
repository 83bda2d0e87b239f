# The wheels of a file of pins, by their projects; none where there is no such file.
{
  system,
  pythonPackage,
}:
/**
  # Type

  ```
  lockedWheels :: Path -> { ${project} :: Package; }
  ```
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
