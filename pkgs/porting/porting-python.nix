# `portingPython`: The Python with Torch in which the build description and the bindings of a project run.
{
  lib,
  system,
  pythonWith,
  torchWheel,
  withBytecode,
}:
let
  rows = builtins.concatMap lib.matrix.row.readRow lib.matrix.torchBuilds.fromRegistries;
  isPlain = row: row.system == system && lib.backends.all.${row.backend}.isEverywhere;
  # The first build of Torch that needs no libraries of a GPU: variants for the CPU have it, too.
  torch = torchWheel (builtins.head (builtins.filter isPlain rows)).torchBuild;
in
withBytecode {
  environment = pythonWith {
    name = "recorder-python";
    packages = [ torch "numpy" "packaging" "wheel" ];
  };
  modules = [ "numpy" "packaging" "torch" "torch.utils.cpp_extension" ];
}
// {
  inherit torch;
}
