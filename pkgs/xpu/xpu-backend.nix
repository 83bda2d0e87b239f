# How kernels for Intel GPUs are built: each unit and the extension by Intel's compiler, and before
# the link the code for the GPU.
{
  compileObject,
  linkDeviceCode,
  linkExtension,
  toolkitPackages,
  xpuToolkit,
}:
let
  tools = [ toolkitPackages.sycl ];
in
{
  toolkitPackages = xpuToolkit;
  compile = { unit, prepared }: compileObject { inherit unit prepared tools; };
  link =
    { plan, objects, ... }@arguments:
    linkExtension (
      arguments
      // {
        inherit tools;
        objects = objects ++ [ (linkDeviceCode { inherit plan objects; }) ];
      }
    );
  shell =
    { sycl, ... }:
    {
      tools = [ sycl ];
      # What Torch's own search for SYCL asks for, and CMake's for Intel's compiler.
      variables = {
        CMPLR_ROOT = "${sycl}/oneapi";
        SYCL_ROOT = "${sycl}/oneapi";
        LIBRARY_PATH = "${sycl}/lib";
      };
    };
}
