# The wheels of a pin file for the Python of a Torch build. Each Python in `otherPythons` has its own folder of pin
# files.
{ otherPythons, readWheels, wheelPython }:
/** Type: lockedBeside :: { build :: String; locks :: Path; name :: String ? build; } -> { ${project} :: Package; } */
{ build, locks, name ? build }:
let
  version = toString (wheelPython build);
  folder = if otherPythons ? ${version} then locks + "/${version}" else locks;
in
(otherPythons.${version} or { inherit readWheels; }).readWheels {
  file = folder + "/${name}.json";
  dependsOf = _: [ ];
}
