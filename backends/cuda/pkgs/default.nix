# Compiling and shells for NVIDIA GPUs.
{ compileObject, cudaCompileUnit, cudaToolkit }:
{
  toolkitPackages = cudaToolkit;
  compile =
    { unit, prepared }:
    (if unit.device == null then compileObject else cudaCompileUnit) { inherit unit prepared; };
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
