{
  description = "Rotary position embedding on Torch's stable ABI, for CPU, CUDA and ROCm";

  inputs.kernel-builder.url = "path:../..";

  outputs =
    { self, kernel-builder }:
    kernel-builder.lib.genKernelFlakeOutputs {
      inherit self;
      path = ./.;
      # What package registries carry, and ROCm, which only AMD and Torch do.
      torchVersions =
        defaults:
        kernel-builder.lib.torchVersions.fromRegistries
        ++ builtins.filter (row: row ? rocmVersion) defaults;
    };
}
