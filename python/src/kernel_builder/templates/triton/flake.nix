{
  description = "The Torch kernel mykernel";

  inputs.kernel-builder.url = "github:OWNER/kernel-builder";

  outputs =
    { self, kernel-builder }:
    kernel-builder.lib.genKernelFlakeOutputs {
      inherit self;
      path = ./.;
      # Packages for tests and shells, by their names in Python's index:
      # pythonCheckInputs = pkgs: [ "einops" ];
    };
}
