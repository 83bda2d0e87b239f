# One unit of a variant, compiled by whoever its plan names: the objects to link, by what they
# are made of.
{
  pythonHeaders,
  torch,
  unitInputs,
  compileObject,
  compileCudaUnit,
  cudaPackages,
  dependencies,
}:
/**
  # Type

  ```
  compileUnit :: {
    kernel :: String; plan :: Plan; fileOf :: String -> StorePath; registration :: StorePath; extension :: String;
  } -> Unit -> [{ name :: String; value :: Derivation; }]
  ```
*/
{
  kernel,
  plan,
  fileOf,
  registration,
  extension,
}:
unit:
let
  prepared = unitInputs {
    inherit
      kernel
      unit
      fileOf
      registration
      extension
      ;
    inherit (plan) generatedFolder;
    headersOf =
      builtins.mapAttrs (_: package: package.dev or package) (dependencies // cudaPackages)
      // {
        torch = torch.dev;
        python = pythonHeaders;
      };
  };
in
if unit.compiler == "nvcc" then
  compileCudaUnit { inherit kernel unit prepared; }
else
  [
    {
      name = unit.source;
      value = compileObject { inherit unit prepared; };
    }
  ]
