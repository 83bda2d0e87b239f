# Ties the library and the package set together, with or without flakes:
# `(import ./.).lib.x86_64-linux.buildTorchExtensionBundle ./kernel`.
#
# `source` is the flake, where there is one: its commit goes into what is built.
{
  source ? { },
}:
let
  lib = import ./lib;
  overlays = import ./overlays;

  packagesFor =
    system: extra:
    import ./pkgs {
      inherit system lib;
      overlays = overlays ++ extra;
    };

  entries = lib.flakeOutputs.entries {
    inherit packagesFor;
    builder = {
      version = builtins.replaceStrings [ "\n" ] [ "" ] (builtins.readFile ./version.txt);
      inherit source;
    };
  };
in
{
  lib = lib.attributes.generate lib.flakeOutputs.systems (system: {
    /** All buildable variants of the kernel in a folder, on one system. */
    buildTorchExtensionBundle = path: (entries.kernelOutputsFor system path).bundle;
    kernelOutputs = entries.kernelOutputsFor system;
  })
  // {
    inherit (entries) genKernelFlakeOutputs;
    torchVersions = {
      inherit (lib.matrix) default fromRegistries;
    };
  };

  packages = lib.attributes.generate lib.flakeOutputs.buildSystems (
    system: packagesFor system [ ]
  );
}
