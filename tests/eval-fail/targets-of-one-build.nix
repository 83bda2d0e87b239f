# Requested targets with a wrong form, with an unknown number, and of a backend that the kernel does not compile for.
let
  library = import ../../lib;
  kernel = library.plan.kernel.readKernel {
    root = ../unit/kernels/relu;
    torchVersions = defaults: defaults;
    brought = [ ];
  };
in
(kernel.narrowedTo [ "sm_90" "9.1" "9.0" "gfx942" ]).variants
