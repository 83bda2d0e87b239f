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
  isPlain =
    row: row.system == system && row.hosts == [ "registry" ] && lib.backends.all.${row.backend}.isEverywhere;
  # The first build of Torch that needs no libraries of a GPU: variants for the CPU have it, too.
  toolkit = "13.0";
  torch = torchWheel (builtins.head (builtins.filter isPlain lib.matrix.torchBuilds.knownRows)).torchBuild;
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
