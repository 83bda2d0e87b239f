# One unit of a variant, compiled as its backend compiles it: the objects to link, by what they
# are made of.
{
  backends,
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
backends.${plan.backend}.compile {
  inherit unit;
  prepared = unitInputs {
    inherit
      unit
      fileOf
      registration
      extension
      ;
    inherit (plan) kernel generatedFolder;
    headersOf = planPackages.headers;
  };
}
