# Torch for the CPU, with a device `xpu` that also runs on the CPU. With it, kernels for Intel GPUs are imported and run
# without a GPU.
{ runStep, toolchain, xpuOpencl, xpuSyclJit }:
let
  inherit (builtins) elemAt;
in
/**
  Like `torchWheel`, except that it replaces the builds of Torch for Intel GPUs.

  Type: xpuTorchOnCpu :: (String -> Package) -> String -> Package
*/
torchWheel: build:
let
  parts = builtins.match "(.*)[+]xpu([0-9]{4})([0-9])" build;
  release = elemAt parts 0;
  torch = torchWheel "${release}+cpu";
  inherit (xpuSyclJit {
    toolkit = "${elemAt parts 1}.${elemAt parts 2}";
    ptxas = null;
  }) sycl;
  headers = runStep {
    name = "torch-${release}-xpu-headers";
    script = ./headers.sh;
    env.headers = torch.dev;
  };
in
if parts == null then
  torchWheel build
else
  runStep {
    name = "torch-${release}-xpu-on-cpu";
    script = ./assemble.sh;
    tools = [ toolchain ];
    env = {
      inherit torch sycl;
      version = "${elemAt parts 1}0${elemAt parts 2}00";
      inherit (torch) sitePackages;
      inherit headers;
      sycl_headers = sycl.dev;
      opencl = xpuOpencl;
      device = ./device.cpp;
      tensors = ./tensors.cpp;
      module = ./xpu_on_cpu.py;
    };
  }
  // { dev = headers; inherit (torch) companions depends modules sitePackages source; }
