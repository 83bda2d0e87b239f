# Checks that a variant is not larger than the kernel's flake allows.
{ lib, runStep }:
/**
  `maxSize` is the number of bytes that the files of the variant may have.

  Type: checkSize :: { name :: String; maxSize :: Int; } -> Derivation -> Derivation
*/
{ name, maxSize }:
variant:
runStep {
  name = lib.values.storeName.sanitize "${name}-size-check";
  script = ./check.sh;
  env = {
    inherit variant;
    variantName = name;
    maxSize = toString maxSize;
  };
}
