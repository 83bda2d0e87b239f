# The archive of the functions that replace CUDA's launch functions in a link, compiled with the headers of one toolkit.
# All kernels share the archive, because the link supplies the texts about a variant.
{
  lib,
  runStep,
  toolchain,
  toolkit,
  toolkitPackages,
}:
let
  # The folder is one store path, because each variant of a kernel evaluates this package again.
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
