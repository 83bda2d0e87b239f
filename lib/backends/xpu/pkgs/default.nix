# Compiling, linking and shells for Intel GPUs: Intel's compiler compiles each unit and links the extension;
# before the link, one step makes the code for the GPU of all units.
{
  compileObject,
  linkExtension,
  toolkitPackages,
  xpuLinkDeviceCode,
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
        objects = objects ++ [ (xpuLinkDeviceCode { inherit plan objects; }) ];
      }
    );
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
