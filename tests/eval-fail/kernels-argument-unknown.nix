((import ../..).lib.genKernelsFlakeOutputs {
  path = ./kernels;
  kernelArguments.no-variants.doGetKernelCheck = false;
}).legacyPackages.x86_64-linux.no-variant.bundle
