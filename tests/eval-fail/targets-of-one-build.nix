# What one build is to be made for: a form, a number, and a backend that the kernel is not compiled for.
let
  library = import ../../lib;
  kernel = library.plan.kernel.readKernel {
    root = ../unit/kernels/relu;
    torchVersions = defaults: defaults;
    brought = [ ];
  };
in
(kernel.narrowedTo [
  "sm_90"
  "9.1"
  "9.0"
  "gfx942"
]).variants
