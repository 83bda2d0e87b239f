# Compiling, linking and shells for Intel GPUs: Intel's compiler compiles each unit and links the extension; before the
# link, one step makes the code for the GPU of all units. With Intel's compiler library, each unit has its own code for
# the GPU.
{
  compileObject,
  linkExtension,
  toolkitPackages,
  xpuCompileUnit,
  xpuLinkDeviceCode,
  xpuToolkit,
}:
let
  isSyclJit = toolkitPackages.sycl.isSyclJit or false;
in
{
  toolkitPackages = xpuToolkit;
  compile =
    { unit, prepared }:
    (if isSyclJit && unit.compiler == "icpx" then xpuCompileUnit else compileObject) {
      inherit unit prepared;
    };
  link =
    { plan, objects, ... }@arguments:
    linkExtension (
      arguments
      // {
        objects = objects ++ (if isSyclJit then [ ] else [ (xpuLinkDeviceCode { inherit plan objects; }) ]);
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
