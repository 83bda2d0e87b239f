# Runs the build description of a project with recording stand-ins, once for each backend. Nothing is compiled.
{
  lib,
  busybox,
  moduleFolder,
  patchelf,
  portingPython,
  pythonPackages,
  runPython,
  runtime,
  toolchain,
}:
let
  inherit (lib.values.attributes) optionalAttrs;
  inherit (portingPython) torch;
  recorder = moduleFolder "recorder" ./recorder;
in
/**
  `project` is the store path of a project's files. `request` is JSON: `backends`, and `given` with `arguments` and
  `environment`. With `hasCMake`, CMake configures a project that setup.py does not describe. With `hasCUDA`, the folder
  CUDA_HOME has a toolkit, whose nvcc says its version. The result has `record.json`.

  Type: recordProject :: { project, request :: String; hasCMake, hasCUDA :: Bool; } -> Derivation
*/
{
  project,
  request,
  hasCMake ? false,
  hasCUDA ? false,
}:
runPython {
  name = "record-of-project";
  interpreter = portingPython;
  script = "${recorder}/__main__.py";
  tools = if hasCMake then [ toolchain patchelf ] else [ ];
  env = {
    inherit project request;
    sh = "${busybox}/bin/sh";
    cuda_version = portingPython.toolkit;
    cuda_home = if hasCUDA then "${portingPython.toolkitPackages.cuda}" else "/build/cuda";
  }
  // optionalAttrs hasCMake {
    inherit (runtime) loader;
    cmake_wheel = pythonPackages.cmake;
    torch_cmake = "${torch}/${torch.sitePackages}/torch/share/cmake";
  };
}
