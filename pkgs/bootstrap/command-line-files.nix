# `commandLineFiles`: The files of the command line that builders use, each as its own store path.
{ lib, moduleFolder }:
let
  inherit (lib.values.paths) alone;
  source = ../../python/src/kernel_builder;
in
{
  benchmarkRunner = alone (source + "/publishing/benchmark_runner.py");
  byName = alone (source + "/templates/ops/by_name.py");
  importCheck = moduleFolder "import_check" (source + "/import_check");
  ops = alone (source + "/ops.py");
  # Templates of the files that a build adds to Python files: `_ops.py` for each framework, and `by_name.py`.
  opsTemplates = alone (source + "/templates/ops");
  problem = alone (source + "/messages/problem.py");
}
