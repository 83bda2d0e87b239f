# A header of Torch as gcc reads it fastest, for all units of all kernels that have the same flags.
# It is for one compiler and one set of flags, 0.3 to 0.7 GB, and nothing of it is in an object.
{ lib, runStep, toolchain }:
let
  script = lib.values.paths.alone ./precompile.sh;
in
/**
  # Type

  ```
  precompiledHeader :: { header :: String; compiler :: String; flags :: String; } -> Derivation
  ```
*/
{
  header,
  compiler,
  flags,
}:
runStep {
  name = lib.values.storeName.sanitize "precompiled-${builtins.replaceStrings [ "/" ] [ "-" ] header}";
  inherit script;
  tools = [ toolchain ];
  env = {
    inherit header compiler flags;
  };
}
