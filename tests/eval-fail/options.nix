((import ../..).lib.genKernelFlakeOutputs {
  maxSize = "100 MB";
  overlay = [ ];
  pythonCheckInputs = [ "einops" ];
}).legacyPackages.x86_64-linux.bundle
