# The Torch of the tests: the first build from registries that needs no GPU libraries.
{
  lib,
  system,
  torchWheel,
}:
let
  isEverywhere = row: row.system == system && lib.backends.all.${row.backend}.isEverywhere;
  rows = builtins.concatMap lib.matrix.row.readRow lib.matrix.torchBuilds.fromRegistries;
in
torchWheel (builtins.head (builtins.filter isEverywhere rows)).torchBuild
