((import ../..).lib.genKernelFlakeOutputs {
  maxSize = "100 MB";
  overlay = [ ];
  localKernels."a:b'x" = { };
  pythonCheckInputs = [ "einops" ];
}).legacyPackages.x86_64-linux.bundle
