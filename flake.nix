{
  description = "Builds Torch kernels for every variant of Torch, compute platform and system";

  outputs =
    { self }:
    let
      project = (import ./.).forSource self;
    in
    {
      inherit (project) lib;
      legacyPackages = builtins.mapAttrs (
        system: packages: packages // { examples = import ./examples { inherit self system; }; }
      ) project.packages;
      # The command line, for `nix run` and `nix profile install`.
      packages = builtins.mapAttrs (_: packages: {
        default = packages.kernelBuilder;
        kernel-builder = packages.kernelBuilder;
      }) project.packages;
      templates = import ./python/src/kernel_builder/templates;
    };
}
