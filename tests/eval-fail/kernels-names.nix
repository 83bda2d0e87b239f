builtins.attrNames
  ((import ../..).lib.genKernelsFlakeOutputs { path = ./kernels/names; }).legacyPackages.x86_64-linux
