# A precompiled header of Torch, 0.3 to 0.7 GB, for all units with the same compiler and flags. Objects do
# not contain it.
{ lib, runStep }:
let
  script = lib.values.paths.alone ./precompile.sh;
in
/**
  Type: precompiledHeader :: { header :: String; compiler :: String; flags :: String; tools :: [Package]; }
    -> Derivation
*/
{ header, compiler, flags, tools }:
runStep {
  name = lib.values.storeName.sanitize "precompiled-${builtins.replaceStrings [ "/" ] [ "-" ] header}";
  inherit script tools;
  env = {
    step = "precompile";
    inherit header compiler flags;
  };
}
