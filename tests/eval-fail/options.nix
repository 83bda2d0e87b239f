((import ../..).lib.genKernelFlakeOutputs {
  precompiledHeaders = "never";
  overlay = [ ];
  localKernels."a:b'x" = { };
  pythonCheckInputs = [ "einops" ];
}).legacyPackages.x86_64-linux.bundle
