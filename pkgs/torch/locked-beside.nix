# The wheels of a pin file for the Python of a Torch build. Each Python in `otherPythons` has its own folder of pin
# files.
{ lockedWheels, otherPythons, wheelPython }:
/** Type: lockedBeside :: { build :: String; locks :: Path; name :: String; } -> { ${project} :: Package; } */
{ build, locks, name }:
let
  version = toString (wheelPython build);
in
if otherPythons ? ${version} then
  otherPythons.${version}.lockedWheels (locks + "/${version}/${name}.json")
else
  lockedWheels (locks + "/${name}.json")
