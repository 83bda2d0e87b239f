{
  description = "A kernel for every framework: TVM FFI instead of Torch";

  inputs.kernel-builder.url = "path:../..";

  outputs =
    { self, kernel-builder }:
    kernel-builder.lib.genKernelFlakeOutputs {
      inherit self;
      path = ./.;
      torchVersions = _: kernel-builder.lib.torchVersions.fromRegistries;
    };
}
