# Runs the build description of a project with recording stand-ins, once for each backend. Nothing is compiled.
{
  lib,
  system,
  busybox,
  pythonWith,
  runPython,
  torchWheel,
  withBytecode,
}:
let
  rows = builtins.concatMap lib.matrix.row.readRow lib.matrix.torchBuilds.fromRegistries;
  isPlain = row: row.system == system && lib.backends.all.${row.backend}.isEverywhere;
  # The first build of Torch that needs no libraries of a GPU: it is that of the variants for the CPU, too.
  torch = torchWheel (builtins.head (builtins.filter isPlain rows)).torchBuild;
  modules = [ "numpy" "packaging" "torch" "torch.utils.cpp_extension" ];
  recorder = builtins.path {
    name = "recorder";
    path = ./recorder;
    filter = file: _: baseNameOf file != "__pycache__";
  };
in
/**
  `project` is the store path of a project's files. `request` is JSON: `backends`, and `given` with `arguments` and
  `environment`. The result has `record.json`.

  Type: recordProject :: { project, request :: String; } -> Derivation
*/
{ project, request }:
runPython {
  name = "record-of-project";
  interpreter = withBytecode {
    environment = pythonWith {
      name = "recorder-python";
      packages = [ torch "numpy" "packaging" "wheel" ];
    };
    inherit modules;
  };
  script = "${recorder}/__main__.py";
  env = {
    inherit project request;
    sh = "${busybox}/bin/sh";
    cuda_version = "13.0";
    cuda_home = "/build/cuda";
  };
}
