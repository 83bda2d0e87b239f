((import ../..).lib.genKernelFlakeOutputs {
  path = ./kernels;
}).legacyPackages.x86_64-linux.bundle
