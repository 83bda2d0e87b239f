# The archive with the functions that the link calls in the place of those that launch kernels, for the headers of one toolkit. All
# kernels share it: the link supplies the texts about a variant.
{
  lib,
  runStep,
  toolchain,
  toolkit,
  toolkitPackages,
}:
let
  # One path: a kernel has as many of these packages as variants.
  sources = lib.values.paths.alone ./archive;
in
runStep {
  name = "cuda-${toolkit}-launch-errors";
  script = "${sources}/compile.sh";
  tools = [ toolchain ];
  env = {
    inherit sources toolchain;
    headers = toolkitPackages.cuda.dev;
  };
}
