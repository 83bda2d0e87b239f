# A wheel, unpacked as Python's installers do: modules, programs, data files. Entry points become programs in
# `pythonWith`, because they name the interpreter of their environment.
{ lib, python, runStep, patchelf, relocate, runtime }:
let
  # Read once for all wheels.
  script = lib.values.paths.alone ./unpack.sh;
in
/** Type: unpackWheel :: { name :: String; source :: Derivation; depends :: [String]; } -> Derivation */
{ name, source, depends }:
runStep {
  inherit name script;
  tools = [ patchelf ];
  env = {
    inherit (python) sitePackages;
    inherit source runtime relocate;
    loader_path = runtime.loader;
  };
}
// { inherit depends source; }
