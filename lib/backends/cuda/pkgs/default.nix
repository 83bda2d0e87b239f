# Compiling, linking and shells for NVIDIA GPUs.
{
  compileObject,
  cudaCompileUnit,
  cudaLaunchErrors,
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
    (if unit.device == null then compileObject else cudaCompileUnit) { inherit unit prepared; };
  link = arguments: linkExtension (arguments // { packages.launch-errors = cudaLaunchErrors; });
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
