# Compiling and shells for NVIDIA GPUs.
{ cudaCompileUnit, cudaToolkit }:
{
  toolkitPackages = cudaToolkit;
  compileDevice = cudaCompileUnit;
  shell =
    toolkitPackages:
    let
      inherit (toolkitPackages) cuda;
    in
    {
      tools = [ cuda ];
      variables = {
        CUDA_HOME = "${cuda}";
        CUDACXX = "${cuda}/bin/nvcc";
        LIBRARY_PATH = builtins.concatStringsSep ":" (
          map (package: "${package}/lib") (builtins.attrValues toolkitPackages)
        );
      };
    };
}
