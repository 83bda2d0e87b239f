# The archive with the functions that the link calls in the place of those that launch kernels, for the headers of one toolkit.
# All kernels share it: the link supplies the texts about a variant.
{
  lib,
  runStep,
  toolchain,
}:
/**
  `headers` is the package with the toolkit's headers, and `flags` are further words for the compiler.

  # Type

  ```
  compileLaunchErrors :: { name :: String; source :: StorePath; headers :: Derivation; flags :: String; } -> Derivation
  ```
*/
{
  name,
  source,
  headers,
  flags ? "",
}:
runStep {
  inherit name;
  script = ./compile.sh;
  tools = [ toolchain ];
  env = {
    inherit flags headers source toolchain;
    header = lib.values.paths.alone ./launch_errors.h;
  };
}
