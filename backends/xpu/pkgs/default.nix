# Linking and shells for Intel GPUs. Before the link, one step makes the code for the GPU of all units.
{ linkExtension, xpuLinkDeviceCode, xpuToolkit }:
{
  toolkitPackages = xpuToolkit;
  link =
    { plan, objects, ... }@arguments:
    linkExtension (arguments // { objects = objects ++ [ (xpuLinkDeviceCode { inherit plan objects; }) ]; });
  shell =
    { sycl, ... }:
    {
      tools = [ sycl ];
      # Torch looks for SYCL, and CMake for Intel's compiler, by these variables.
      variables = {
        CMPLR_ROOT = "${sycl}/oneapi";
        SYCL_ROOT = "${sycl}/oneapi";
        LIBRARY_PATH = "${sycl}/lib";
      };
    };
}
