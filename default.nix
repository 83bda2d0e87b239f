# Ties the library and the package set together, with or without flakes:
# `(import ./.).lib.x86_64-linux.buildTorchExtensionBundle ./kernel`.
let
  lib = import ./lib;

  # The package set for kernels of `system`, built on a machine of `buildSystem`.
  packagesFor =
    { system, buildSystem }:
    overlays:
    let
      setOf =
        system: build:
        import ./pkgs {
          inherit system lib;
          overlays = import ./overlays { inherit build lib system; } ++ overlays;
        };
      build = setOf buildSystem null;
    in
    if system == buildSystem then build else setOf system build;

  /**
    The project's library and packages. Builds record the commit of the flake `source`.
    Without a flake, `source` is the empty set.
  */
  forSource =
    source:
    let
      interface = lib.outputs.flake.makeInterface {
        inherit packagesFor;
        builder = {
          version = builtins.head (
            builtins.match "__version__ = \"(.*)\"\n" (builtins.readFile ./python/src/kernel_builder/_version.py)
          );
          inherit source;
        };
      };
      project = {
        lib =
          lib.values.attributes.generate lib.platforms.systems.all (system: {
            kernelOutputs = interface.kernelOutputsFor system;
            /** All variants of the kernel in a folder that can be built on this system. */
            buildTorchExtensionBundle = lib.outputs.folder.buildFolderBundle {
              inherit system;
              library = project.lib;
              withoutFlake = interface.kernelOutputsFor system;
            };
          })
          // {
            inherit (interface) genFlakeOutputs genKernelFlakeOutputs genKernelsFlakeOutputs;
            torchVersions = { inherit (lib.matrix.torchBuilds) default fromRegistries; };
          };

        packages = lib.values.attributes.generate lib.platforms.systems.all (
          system:
          packagesFor { inherit system; buildSystem = system; } [ ]
        );
      };
    in
    project;
in
forSource { } // { inherit forSource; }
