# The public functions: `genKernelFlakeOutputs` for a kernel's flake, and `kernelOutputsFor` for a kernel without a
# flake.
{ values, messages, platforms, plan, outputs, ... }:
let
  inherit (builtins) elem mapAttrs;
  inherit (values.attributes) byName generate optionalAttrs;
  inherit (values.lists) optionals;
  inherit (messages.catalogue) readCatalogue;
  inherit (messages.check) listChoices throwProblem;
  inherit (platforms) systems;
  inherit (platforms.systems) listBuildableSystems;
  inherit (plan.kernel) readKernel;
  inherit (outputs.kernel) makeKernelOutputs;
  inherit (outputs.kernels) makeKernelsOutputs;
  inherit (outputs.notice) addNotice;
  inherit (outputs.options) readOptions;

  problems = readCatalogue ./flake.json;

  refuseCross =
    buildSystem: system:
    throwProblem "variants for ${system} cannot be built on ${buildSystem}" (
      problems.cross {
        at = "cross.${system}";
        inherit buildSystem;
        systems = listChoices (builtins.filter (other: elem system (listBuildableSystems other)) systems.all);
      }
    );

  refuseOther =
    variant: system:
    throwProblem "${variant.name} is not for ${system}" (
      problems.other-system { at = variant.name; own = variant.system; inherit system; }
    );

  # An overlay that adds the wheels that rows of `torchVersions` name to the pinned wheels of Torch.
  pinWheels = wheels: _: previous: {
    torchPins =
      previous.torchPins // mapAttrs (build: pins: previous.torchPins.${build} or { } // pins) wheels;
  };

  # The commit of a flake; empty if it is not known, as for a folder without git.
  commitOf =
    flake:
    if flake ? rev then
      { commit = flake.rev; dirty = false; }
    else
      optionalAttrs (flake ? dirtyRev) {
        commit = builtins.head (builtins.match "([0-9a-f]+).*" flake.dirtyRev);
        dirty = true;
      };

  provenanceOf =
    builder: options:
    let
      given = optionalAttrs (options.rev != null) { inherit (options) rev; };
      commit = commitOf (given // optionalAttrs (options.self != null) options.self);
    in
    {
      kernel-builder = { inherit (builder) version; } // commitOf builder.source;
    }
    // optionalAttrs (commit != { }) { kernel = commit; };

  # `genFlakeOutputs`, which published flakes call: the same outputs, with a warning about the new name.
  addRenameNotice =
    genKernelFlakeOutputs: arguments:
    let
      # `pythonPackageOverlay` changes packages of nixpkgs, which kernel-builder does not use.
      dropped = if arguments ? pythonPackageOverlay then " and its pythonPackageOverlay is not used" else "";
      text = "genFlakeOutputs is called genKernelFlakeOutputs now${dropped}; change it in flake.nix";
      print = addNotice text;
      addWarning = manifest: manifest // { warnings = manifest.warnings ++ [ text ]; };
      flake = genKernelFlakeOutputs (removeAttrs arguments [ "pythonPackageOverlay" ]);
    in
    flake
    // {
      packages = mapAttrs (_: mapAttrs (_: print)) flake.packages;
      legacyPackages = mapAttrs (
        _: ofSystem:
        ofSystem
        // {
          bundle = print ofSystem.bundle;
          ci = print ofSystem.ci;
          redistributable = mapAttrs (_: print) ofSystem.redistributable;
          manifest = addWarning ofSystem.manifest;
          manifestOf = requested: addWarning (ofSystem.manifestOf requested);
        }
      ) flake.legacyPackages;
    };

  kernelOf =
    packagesFor: options:
    readKernel {
      root = options.path;
      inherit (options) torchVersions;
      precompiled = options.precompiledHeaders;
      # Only overlays add dependencies, and they add the same names on every system.
      brought = optionals (options.overlays != [ ]) (
        builtins.attrNames
          (packagesFor {
            system = "x86_64-linux";
            buildSystem = "x86_64-linux";
          } options.overlays).dependencies
      );
    };

  # The outputs on a machine of `buildSystem`. `cross` has the outputs for other systems on that machine.
  outputsOn =
    { packagesFor, builder }:
    options: kernel: buildSystem:
    let
      outputsFor =
        system:
        makeKernelOutputs {
          inherit kernel options system buildSystem;
          packageSet = packagesFor { inherit system buildSystem; } ([ (pinWheels kernel.wheels) ] ++ options.overlays);
          provenance = provenanceOf builder options;
        };
    in
    outputsFor buildSystem
    // {
      cross = generate systems.all (
        system:
        if elem system (listBuildableSystems buildSystem) then
          outputsFor system
        else
          refuseCross buildSystem system
      );
    };
in
{
  /**
    The functions that flakes and the command line call. `packagesFor` makes the package set of a
    system, for a build on a machine of `buildSystem`; `builder` names kernel-builder's own version
    and commit.

    Type: makeInterface :: { packagesFor :: { system, buildSystem :: String; } -> [Overlay] -> PackageSet; builder :: {
      version :: String; source :: AttrSet; }; } -> { genFlakeOutputs; genKernelFlakeOutputs; genKernelsFlakeOutputs;
      kernelOutputsFor; }
  */
  makeInterface =
    { packagesFor, ... }@project:
    let
      /**
        All outputs of a kernel's flake. `outputs.options` describes the arguments.

        # Example

        ```nix
        outputs = { self, kernel-builder }:
          kernel-builder.lib.genKernelFlakeOutputs { inherit self; path = ./.; };
        ```

        Type: genKernelFlakeOutputs :: AttrSet -> { packages; legacyPackages; devShells; }

        # Errors

        All problems of the arguments, of build.toml or of the list of Torch builds, at once.
      */
      genKernelFlakeOutputs =
        arguments:
        let
          options = readOptions arguments;
          kernel = kernelOf packagesFor options;
          # `nix develop .#VARIANT` finds a variant without a shell here. It is not in devShells, because
          # `nix flake check` evaluates all of devShells.
          legacyPackages = generate systems.all (
            system:
            let
              ofSystem = outputsOn project options kernel system;
            in
            byName (variant: refuseOther variant system) kernel.variants // ofSystem.redistributable // ofSystem
          );
        in
        {
          inherit legacyPackages;
          # `nix flake check` evaluates all packages, so a system without variants has no packages. The bundle
          # in legacyPackages throws the reason.
          packages = mapAttrs (
            _: ofSystem:
            optionalAttrs (ofSystem.archVariants != [ ]) {
              default = ofSystem.bundle;
              inherit (ofSystem) bundle ci;
            }
          ) legacyPackages;
          devShells = mapAttrs (_: ofSystem: ofSystem.flakeShells) legacyPackages;
        };
    in
    {
      inherit genKernelFlakeOutputs;
      genKernelsFlakeOutputs = makeKernelsOutputs genKernelFlakeOutputs;
      genFlakeOutputs = addRenameNotice genKernelFlakeOutputs;
      /**
        The outputs of a kernel without a flake on one system.

        Type: kernelOutputsFor :: String -> Path -> AttrSet
      */
      kernelOutputsFor =
        system: path:
        let
          options = readOptions { inherit path; };
        in
        outputsOn project options (kernelOf packagesFor options) system;
    };
}
