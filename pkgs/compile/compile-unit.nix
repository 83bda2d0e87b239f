# One unit of a variant, compiled as its backend compiles it.
{
  backends,
  buildSet,
  system,
  unitInputs,
}:
/**
  The objects to link, by the file or part that they are made of.

  Type: compileUnit :: { plan :: Plan; fileOf :: String -> StorePath; registration :: StorePath; extension :: String; }
    -> Unit -> [{ name :: String; value :: Derivation; }]
*/
variant:
let
  inherit (variant) plan;
  prepare = unitInputs variant;
  prepareOnBuild = buildSet.unitInputs variant;
in
unit:
let
  prepared = prepare unit;
in
backends.${plan.backend}.compile {
  inherit unit;
  prepared = prepared // {
    inherit (plan) generatedFolder;
    onBuild = if buildSet.system == system then prepared else prepareOnBuild unit;
    embedded = map (unit: {
      inherit unit;
      prepared = prepare unit;
    }) (builtins.filter (other: builtins.elem other.source unit.embeds) plan.units);
  };
}
