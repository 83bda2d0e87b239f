# `bin/lock-kernels` writes kernels.lock in the folder that it runs in.
{ lib, busybox, pythonWith, runStep }:
let
  python = pythonWith { name = "lock-kernels-python"; packages = [ "kernels" ]; };
in
/**
  `dependencies` are values of `kernel-depends`.

  Type: lockKernels :: [AttrSet] -> Derivation
*/
dependencies:
runStep {
  name = "lock-kernels";
  script = ./install.sh;
  env = {
    inherit python;
    shell = "${busybox}/bin/sh";
    program = lib.values.paths.alone ./lock.py;
    request = builtins.toFile "request.json" (
      builtins.toJSON {
        inherit dependencies;
        # The locked kernels must load names of this form.
        repository = lib.values.repository.pattern;
      }
    );
  };
}
// { meta.mainProgram = "lock-kernels"; }
