# The Torch of the tests: the first build from registries that needs no GPU libraries.
{
  lib,
  system,
  torchWheel,
}:
let
  isEverywhere =
    row: lib.backends.all.${row.backend}.isEverywhere && builtins.elem system row.systems;
  row = builtins.head (builtins.filter isEverywhere lib.matrix.torchBuilds.fromRegistries);
in
torchWheel (
  lib.matrix.names.nameTorchBuild {
    inherit (row) torch;
    compute = lib.matrix.names.nameCompute { inherit (row) backend toolkit; };
  }
)
