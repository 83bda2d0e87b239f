# One unit of a variant, compiled as its backend compiles it.
{
  backends,
  buildSet,
  unitInputs,
}:
/**
  The objects to link, by the file or part that they are made of.

  # Type

  ```
  compileUnit :: { plan :: Plan; fileOf :: String -> StorePath; registration :: StorePath; extension :: String; }
    -> Unit -> [{ name :: String; value :: Derivation; }]
  ```
*/
variant: unit:
let
  inherit (variant) plan;
  prepare = unit: unitInputs (variant // { inherit unit; });
in
backends.${plan.backend}.compile {
  inherit unit;
  prepared = prepare unit // {
    inherit (plan) generatedFolder;
    onBuild = buildSet.unitInputs (variant // { inherit unit; });
    embedded = map (unit: {
      inherit unit;
      prepared = prepare unit;
    }) (builtins.filter (other: builtins.elem other.source unit.embeds) plan.units);
  };
}
