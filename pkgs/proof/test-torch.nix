# The Torch that every machine can have: the first one that needs nothing else, out of the
# registries.
{ lib, torchWheel }:
let
  isEverywhere = row: lib.backends.${row.backend}.isEverywhere;
  row = builtins.head (builtins.filter isEverywhere lib.matrix.fromRegistries);
in
torchWheel (
  lib.names.torchBuildOf {
    inherit (row) torch;
    compute = lib.names.computeOf { inherit (row) backend toolkit; };
  }
)
