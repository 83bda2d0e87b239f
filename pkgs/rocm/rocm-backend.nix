# How kernels for AMD GPUs are built.
{
  compileHipUnit,
  compileObject,
  linkExtension,
  rocmToolkit,
}:
{
  toolkitPackages = rocmToolkit;
  compile =
    { unit, prepared }:
    (if unit.device == null then compileObject else compileHipUnit) { inherit unit prepared; };
  link = linkExtension;
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
