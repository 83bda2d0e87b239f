# How kernels for NVIDIA GPUs are built.
{
  compileCudaUnit,
  compileObject,
  cudaToolkit,
  linkExtension,
}:
let
  inherit (builtins) attrValues concatStringsSep;
in
{
  toolkitPackages = cudaToolkit;
  compile =
    { unit, prepared }:
    (if unit.device == null then compileObject else compileCudaUnit) { inherit unit prepared; };
  link = linkExtension;
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
        LIBRARY_PATH = concatStringsSep ":" (
          map (package: "${package}/lib") (attrValues toolkitPackages)
        );
      };
    };
}
