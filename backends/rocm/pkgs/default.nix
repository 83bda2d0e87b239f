# Compiling and shells for AMD GPUs.
{ rocmCompileUnit, rocmToolkit }:
{
  toolkitPackages = rocmToolkit;
  compileDevice = rocmCompileUnit;
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
