# Compiling and shells for AMD GPUs.
{ compileObject, rocmCompileUnit, rocmToolkit }:
{
  toolkitPackages = rocmToolkit;
  compile =
    { unit, prepared }:
    (if unit.device == null then compileObject else rocmCompileUnit) { inherit unit prepared; };
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
