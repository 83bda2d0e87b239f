# A replacement of Torch for ROCm that compilers and linkers accept, made from wheels of registries, for machines that do
# not reach the real wheel: the headers of a Torch for CUDA, translated as Torch's own build does; the libraries of a
# Torch for the CPU; and the C functions of the stable ABI in HIP's part. Kernels on that ABI link with it. Other
# kernels compile, but lack symbols. It cannot be imported.
{
  rocmDebianHip,
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
  `torchWheel` with the replacement for builds for ROCm:
  `overlays = [ (final: previous: { torchWheel = final.torchStandIn previous.torchWheel; }) ]`.

  Type: torchStandIn :: (String -> Package) -> String -> Package
*/
torchWheel: build:
let
  parts = match "(.*)[+]rocm([0-9])(.*)" build;
  release = elemAt parts 0;
  forCuda = torchWheel "${release}+cu130";
  forProcessor = torchWheel "${release}+cpu";
  inherit (rocmDebianHip {
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
  inherit (forProcessor) source depends sitePackages;
}
