# Compiling, linking and shells for AMD GPUs.
{
  compileObject,
  linkExtension,
  rocmCompileUnit,
  rocmLaunchErrors,
  rocmToolkit,
}:
{
  toolkitPackages = rocmToolkit;
  compile =
    { unit, prepared }:
    (if unit.device == null then compileObject else rocmCompileUnit) { inherit unit prepared; };
  link = arguments: linkExtension (arguments // { packages.launch-errors = rocmLaunchErrors; });
  shell =
    { hip, ... }:
    {
      tools = [ hip ];
      variables = {
        ROCM_HOME = "${hip}";
        ROCM_PATH = "${hip}";
        HIP_PATH = "${hip}";
        LIBRARY_PATH = "${hip}/lib";
      };
    };
}
