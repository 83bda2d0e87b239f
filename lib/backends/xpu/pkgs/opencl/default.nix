# Intel's OpenCL for the processor, as a device on which SYCL runs without a GPU.
{
  fetchWheel,
  runStep,
}:
runStep {
  name = "intel-opencl";
  script = ./unpack.sh;
  env.wheels = map fetchWheel (builtins.fromJSON (builtins.readFile ./wheels.json));
}
