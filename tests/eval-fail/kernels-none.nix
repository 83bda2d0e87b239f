((import ../..).lib.genKernelsFlakeOutputs { path = ./kernels/no-variant; }).legacyPackages.x86_64-linux
