# A header of Torch as gcc reads it fastest, for all units of all kernels that have the same flags.
# It is for one compiler and one set of flags, 0.3 to 0.7 GB, and nothing of it is in an object.
{ lib, runStep }:
let
  script = lib.values.paths.alone ./precompile.sh;
in
/**
  # Type

  ```
  precompiledHeader :: { header :: String; compiler :: String; flags :: String; tools :: [Package]; } -> Derivation
  ```
*/
{
  header,
  compiler,
  flags,
  tools,
}:
runStep {
  name = lib.values.storeName.sanitize "precompiled-${builtins.replaceStrings [ "/" ] [ "-" ] header}";
  inherit script tools;
  env = {
    inherit header compiler flags;
  };
}
