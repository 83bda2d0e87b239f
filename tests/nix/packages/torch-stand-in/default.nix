# What a Torch for ROCm is to compiler and linker, out of wheels of registries, for where its own
# wheel cannot be reached: the headers of a Torch for CUDA, translated as Torch's own build does it;
# the libraries of the one for the processor; and of HIP's part just the C functions that the stable
# ABI has. Kernels on that ABI are linked with it as with Torch itself; others compile, and lack
# symbols. It cannot be imported.
{
  debianHip,
  pythonWith,
  runPython,
  patchelf,
  toolchain,
  rocmHipify,
}:
let
  inherit (builtins) elemAt match;
in
/**
  What `torchWheel` gives, but for builds for ROCm:
  `overlays = [ (final: previous: { torchWheel = final.torchStandIn previous.torchWheel; }) ]`.

  # Type

  ```
  torchStandIn :: (String -> Package) -> String -> Package
  ```
*/
torchWheel: build:
let
  parts = match "(.*)[+]rocm([0-9])(.*)" build;
  release = elemAt parts 0;
  forCuda = torchWheel "${release}+cu130";
  forProcessor = torchWheel "${release}+cpu";
  inherit (debianHip {
    toolkit = "${elemAt parts 1}.${elemAt parts 2}";
    ptxas = null;
  }) hip;
in
if parts == null then
  torchWheel build
else
runPython {
  name = "torch-${release}-rocm${elemAt parts 1}${elemAt parts 2}-stand-in";
  script = ./stand_in.py;
  interpreter = pythonWith {
    name = "torch-stand-in-python";
    packages = [ "pyelftools" ];
  };
  outputs = [
    "out"
    "dev"
  ];
  tools = [
    patchelf
    toolchain
  ];
  env = {
    hipify = rocmHipify forProcessor;
    headers = forCuda.dev;
    cuda = forCuda;
    processor = forProcessor;
    inherit hip;
  };
}
// {
  # hipify is the same in all wheels of a release.
  inherit (forProcessor) source depends;
}
