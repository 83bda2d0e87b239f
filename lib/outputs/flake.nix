# The public functions: `genKernelFlakeOutputs` for a kernel's flake, and `kernelOutputsFor` for a
# kernel without a flake.
{ values, messages, platforms, plan, outputs, ... }:
let
  inherit (builtins)
    attrNames
    elem
    filter
    mapAttrs
    toJSON
    ;
  inherit (values) attributes;
  inherit (values.attributes) optionalAttrs;
  inherit (values.lists) optionals;
  inherit (messages.check) listChoices throwProblem;
  inherit (platforms) systems;
  inherit (platforms.systems) listBuildableSystems;
  inherit (plan.kernel) readKernel;
  inherit (outputs.kernel) makeKernelOutputs removeAuthorOutputs;
  inherit (outputs.kernels) makeKernelsOutputs;
  inherit (outputs.oldName) addRenameNotice;
  inherit (outputs.provenance) describeProvenance;

  refuseCross =
    system: target:
    throwProblem "variants for ${target} cannot be built on ${system}" {
      at = "cross.${target}";
      found = toJSON system;
      want = "a machine of ${
        listChoices (filter (other: elem target (listBuildableSystems other)) systems.building)
      }";
      fix = "build there, or through a remote builder (nix.conf: builders)";
    };

  refuseOther =
    variant: system:
    throwProblem "${variant.name} is not for ${system}" {
      at = variant.name;
      found = "a variant for ${variant.system}";
      want = "a variant for ${system}";
      fix = "work on a machine of that system, or choose another variant: kernel-builder list-variants --arch";
    };

  # An overlay that adds the wheels that rows of `torchVersions` name to the pinned wheels of Torch.
  pinWheels =
    wheels:
    optionals (wheels != { }) [
      (_: previous: {
        torchPins =
          previous.torchPins // mapAttrs (build: pins: previous.torchPins.${build} or { } // pins) wheels;
      })
    ];
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
    { packagesFor, builder }:
    let
      makeOutputs =
        {
          kernel,
          root,
          system,
          buildSystem,
          overlays,
          doGetKernelCheck,
          maxSize,
          checkInputs,
          kernelFlakes,
          source,
        }:
        makeKernelOutputs {
          inherit
            kernel
            root
            system
            doGetKernelCheck
            maxSize
            checkInputs
            kernelFlakes
            ;
          packageSet = packagesFor { inherit system buildSystem; } (pinWheels kernel.wheels ++ overlays);
          provenance = describeProvenance {
            kernel = source;
            inherit builder;
          };
        };

      # The outputs for `system` on a machine of `system`. `cross` has the outputs for other systems on that machine.
      makeOutputsOn =
        { system, ... }@args:
        makeOutputs (args // { buildSystem = system; })
        // {
          cross = attributes.generate systems.building (
            target:
            if elem target (listBuildableSystems system) then
              removeAuthorOutputs (
                makeOutputs (
                  args
                  // {
                    system = target;
                    buildSystem = system;
                  }
                )
              )
            else
              refuseCross system target
          );
        };

      /**
        All outputs of a kernel's flake.

        `self` is the flake, and `path` the folder with build.toml. `rev` is the commit, if `self` is
        not given. `torchVersions` changes the default list of Torch builds, and `overlays` the package
        set. `doGetKernelCheck = false` leaves out the import check. `maxSize` limits the bytes of a
        variant. `pythonCheckInputs` and `pythonNativeCheckInputs` add packages to shells and tests.
        `localKernels` are flakes of kernels in `kernel-depends`; builds load these instead of kernels
        from the Hub.
        `precompiledHeaders` makes C++ units use precompiled headers of Torch wherever they can (true)
        or never (false).

        # Example

        ```nix
        outputs = { self, kernel-builder }:
          kernel-builder.lib.genKernelFlakeOutputs { inherit self; path = ./.; };
        ```

        Type: genKernelFlakeOutputs :: { self :: Flake | Null; path :: Path; rev :: String | Null;
          pythonCheckInputs, pythonNativeCheckInputs :: PackageSet -> [Package]; doGetKernelCheck :: Bool;
          maxSize :: Int | Null; torchVersions :: [Row] -> [Row]; overlays :: [Overlay];
          localKernels :: { ${repository} :: Flake; }; precompiledHeaders :: Bool | Null; } -> {
          packages; legacyPackages; devShells; }

        # Errors

        All problems of build.toml or of the list of Torch builds, at once.
      */
      genKernelFlakeOutputs =
        {
          self ? null,
          path,
          rev ? null,
          pythonCheckInputs ? _: [ ],
          pythonNativeCheckInputs ? _: [ ],
          doGetKernelCheck ? true,
          maxSize ? null,
          torchVersions ? defaults: defaults,
          overlays ? [ ],
          localKernels ? { },
          precompiledHeaders ? null,
        }:
        let
          kernel = readKernel {
            root = path;
            inherit torchVersions;
            precompiled = precompiledHeaders;
            # Only overlays add dependencies, and they add the same names on every system.
            brought = optionals (overlays != [ ]) (
              attrNames
                (packagesFor {
                  system = "x86_64-linux";
                  buildSystem = "x86_64-linux";
                } overlays).dependencies
            );
          };
          # `nix develop .#VARIANT` finds a variant without a shell here. It is not in devShells, because
          # `nix flake check` evaluates all of devShells.
          legacyPackages = attributes.generate systems.all (
            system:
            let
              ofSystem = makeOutputsOn {
                inherit
                  kernel
                  system
                  overlays
                  doGetKernelCheck
                  maxSize
                  ;
                checkInputs = set: pythonNativeCheckInputs set ++ pythonCheckInputs set;
                kernelFlakes = localKernels;
                root = path;
                source = optionalAttrs (rev != null) { inherit rev; } // optionalAttrs (self != null) self;
              };
            in
            attributes.byName (
              variant:
              ofSystem.redistributable.${variant.name} or (refuseOther variant system)
            ) kernel.variants
            // ofSystem
          );
        in
        {
          inherit legacyPackages;
          # `nix flake check` evaluates all packages, so a system without variants has no packages. The bundle
          # in legacyPackages throws the reason.
          packages = attributes.generate systems.building (
            system:
            let
              ofSystem = legacyPackages.${system};
            in
            optionalAttrs (ofSystem.archVariants != [ ]) {
              default = ofSystem.bundle;
              inherit (ofSystem) bundle ci;
            }
          );
          devShells = attributes.generate systems.building (system: legacyPackages.${system}.flakeShells);
        };

      /**
        The outputs of a kernel on one system, for a kernel without a flake.

        Type: kernelOutputsFor :: String -> Path -> AttrSet
      */
      kernelOutputsFor =
        system: root:
        makeOutputsOn {
          inherit root system;
          kernel = readKernel {
            inherit root;
            torchVersions = defaults: defaults;
            brought = [ ];
          };
          overlays = [ ];
          doGetKernelCheck = true;
          maxSize = null;
          checkInputs = _: [ ];
          kernelFlakes = { };
          source = { };
        };
    in
    {
      inherit genKernelFlakeOutputs kernelOutputsFor;
      genKernelsFlakeOutputs = makeKernelsOutputs genKernelFlakeOutputs;
      genFlakeOutputs = addRenameNotice genKernelFlakeOutputs;
    };
}
