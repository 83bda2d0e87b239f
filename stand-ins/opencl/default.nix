# Intel's OpenCL for the CPU. SYCL uses it as a device on machines without a GPU.
{ fetchWheel, runStep }:
runStep {
  name = "intel-opencl";
  script = ./unpack.sh;
  env.wheels = map fetchWheel (builtins.fromJSON (builtins.readFile ./wheels.json));
}
