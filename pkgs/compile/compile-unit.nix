# One unit of a variant, compiled as its backend compiles it: the objects to link, by what they
# are made of.
{
  backends,
  buildSet,
  planPackages,
  unitInputs,
}:
/**
  # Type

  ```
  compileUnit :: { plan :: Plan; fileOf :: String -> StorePath; registration :: StorePath; extension :: String; }
    -> Unit -> [{ name :: String; value :: Derivation; }]
  ```
*/
{
  plan,
  fileOf,
  registration,
  extension,
}:
unit:
let
  prepareWith =
    set: unit:
    set.unitInputs {
      inherit
        unit
        fileOf
        registration
        extension
        ;
      inherit (plan) kernel generatedFolder;
      headersOf = set.planPackages.headers;
    };
in
backends.${plan.backend}.compile {
  inherit unit;
  prepared = prepareWith { inherit unitInputs planPackages; } unit // {
    inherit (plan) generatedFolder;
    onBuild = prepareWith buildSet unit;
    # The units that this one embeds, each with what is prepared for it.
    embedded = map (unit: {
      inherit unit;
      prepared = prepareWith { inherit unitInputs planPackages; } unit;
    }) (builtins.filter (other: builtins.elem other.source unit.embeds) plan.units);
  };
}
