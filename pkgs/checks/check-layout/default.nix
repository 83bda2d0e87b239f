# Checks that a variant has the required files and no others, and that the public client reads its metadata and
# confirms its digest.
{ lib, runCheck }:
/** Type: checkLayout :: { name, variant, backend :: String; compiled :: Bool; } -> Derivation -> Derivation */
{ name, variant, backend, compiled }:
runCheck {
  name = lib.values.storeName.sanitize "${name}-layout-check";
  package = ./layout_check;
  backends = [ backend ];
  arguments = [
    "--variant"
    variant
    (if compiled then "--compiled" else "--no-compiled")
    "--by-name"
    "${lib.values.paths.alone ../../../python/src/kernel_builder/templates/ops/by_name.py}"
  ];
}
