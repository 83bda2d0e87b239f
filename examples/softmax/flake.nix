{
  description = "Softmax of rows, in Triton";

  inputs.kernel-builder.url = "path:../..";

  outputs =
    { self, kernel-builder }:
    kernel-builder.lib.genKernelFlakeOutputs {
      inherit self;
      path = ./.;
    };
}
