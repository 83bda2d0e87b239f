# `portingPython`: The Python with Torch in which the build description and the bindings of a project run, and the CUDA
# toolkit that they see.
{
  lib,
  backends,
  system,
  pythonWith,
  torchWheel,
  withBytecode,
}:
let
  rows = builtins.concatMap lib.matrix.row.readRow lib.matrix.torchBuilds.fromRegistries;
  isPlain = row: row.system == system && lib.backends.all.${row.backend}.isEverywhere;
  # The first build of Torch that needs no libraries of a GPU: variants for the CPU have it, too.
  toolkit = "13.0";
  torch = torchWheel (builtins.head (builtins.filter isPlain rows)).torchBuild;
in
withBytecode {
  environment = pythonWith {
    name = "recorder-python";
    packages = [ torch "numpy" "packaging" "wheel" ];
  };
  modules = [ "numpy" "packaging" "torch" "torch.utils.cpp_extension" ];
}
// {
  inherit toolkit torch;
  toolkitPackages = backends.cuda.toolkitPackages { inherit toolkit; ptxas = null; };
}
