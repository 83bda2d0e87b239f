# The wheels of a pin file for the Python of a Torch build. Each Python beside the first has a folder of pin files.
{
  lockedWheels,
  otherPythons,
  wheelPython,
}:
/**
  # Type

  ```
  lockedBeside :: { build :: String; locks :: Path; name :: String; } -> { ${project} :: Package; }
  ```
*/
{
  build,
  locks,
  name,
}:
let
  version = toString (wheelPython build);
in
if otherPythons ? ${version} then
  otherPythons.${version}.lockedWheels (locks + "/${version}/${name}.json")
else
  lockedWheels (locks + "/${name}.json")
