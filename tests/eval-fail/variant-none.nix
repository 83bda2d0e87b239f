((import ../..).lib.genKernelFlakeOutputs {
  self = { };
  path = ./kernels/no-variant;
}).legacyPackages.x86_64-linux.bundle
