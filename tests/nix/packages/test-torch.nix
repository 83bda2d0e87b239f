# The Torch that every machine of this system can have: the first one that needs nothing else, out
# of the registries.
{
  lib,
  system,
  torchWheel,
}:
let
  isEverywhere =
    row: lib.backends.${row.backend}.isEverywhere && builtins.elem system row.systems;
  row = builtins.head (builtins.filter isEverywhere lib.matrix.fromRegistries);
in
torchWheel (
  lib.names.torchBuildOf {
    inherit (row) torch;
    compute = lib.names.computeOf { inherit (row) backend toolkit; };
  }
)
