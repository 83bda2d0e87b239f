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
      templates = import ./python/src/kernel_builder/templates;
    };
}
