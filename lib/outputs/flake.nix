# The two ways into the library: `genKernelFlakeOutputs` for a kernel's flake, and the same
# for one system without flakes.
{ values, messages, platforms, plan, outputs, ... }:
let
  inherit (builtins) elem filter mapAttrs;
  inherit (values) attributes;
  inherit (values.attributes) optionalAttrs;
  inherit (messages.check) listChoices throwProblem;
  inherit (platforms) systems;
  inherit (plan.kernel) readKernel;
  inherit (outputs.kernel) makeKernelOutputs removeAuthorOutputs;
  inherit (outputs.notice) printOnBuild;

  # Which commit a flake is at; empty where that is not known.
  commitOf =
    source:
    if source ? rev then
      {
        commit = source.rev;
        dirty = false;
      }
    else
      optionalAttrs (source ? dirtyRev) {
        commit = builtins.head (builtins.match "([0-9a-f]+).*" source.dirtyRev);
        dirty = true;
      };

  # What is known of where a kernel comes from.
  sourceOf =
    { self, rev }:
    optionalAttrs (rev != null) { inherit rev; } // optionalAttrs (self != null) self;

  self = {
    /**
      What flakes and other callers use, given the package set of a system and the builder's own
      source (for the provenance of what it builds).

      # Type

      ```
      makeInterface :: { packagesFor :: { system, buildSystem :: String; } -> [Overlay] -> PackageSet; builder :: { version :: String; source :: AttrSet; }; }
        -> { genFlakeOutputs; genKernelFlakeOutputs; kernelOutputsFor; }
      ```
    */
    makeInterface =
      { packagesFor, builder }:
      let
        # `system` is that of the machine that builds.
        outputsOf =
          { system, ... }@given:
          outputsFor (given // { buildSystem = system; })
          // {
            cross = attributes.generate systems.building (
              target:
              if elem target (systems.builtOn system) then
                removeAuthorOutputs (
                  outputsFor (
                    given
                    // {
                      system = target;
                      buildSystem = system;
                    }
                  )
                )
              else
                throwProblem "variants for ${target} cannot be built on ${system}" {
                  at = "cross.${target}";
                  found = builtins.toJSON system;
                  want = "a machine of ${listChoices (filter (other: elem target (systems.builtOn other)) systems.building)}";
                  fix = "build there, or through a remote builder (nix.conf: builders)";
                }
            );
          };

        outputsFor =
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
            packageSet = packagesFor { inherit system buildSystem; } overlays;
            provenance =
              let
                commit = commitOf source;
              in
              {
                kernel-builder = {
                  inherit (builder) version;
                }
                // commitOf builder.source;
              }
              // optionalAttrs (commit != { }) { kernel = commit; };
          };
      in
      {
        /**
          `genKernelFlakeOutputs` by its older name, which published flakes call; with a warning.

          # Type

          ```
          genFlakeOutputs :: AttrSet -> { packages; legacyPackages; devShells; }
          ```
        */
        genFlakeOutputs =
          args:
          let
            # An overlay of another package set than ours means nothing here.
            dropped = if args ? pythonPackageOverlay then " and its pythonPackageOverlay is not used" else "";
            text = "genFlakeOutputs is called genKernelFlakeOutputs now${dropped}; change it in flake.nix";
            noted = printOnBuild text;
            withWarning = manifest: manifest // { warnings = manifest.warnings ++ [ text ]; };
            outputs = (self.makeInterface { inherit packagesFor builder; }).genKernelFlakeOutputs (
              builtins.removeAttrs args [ "pythonPackageOverlay" ]
            );
          in
          outputs
          // {
            packages = mapAttrs (_: mapAttrs (_: noted)) outputs.packages;
            legacyPackages = mapAttrs (
              _: given:
              given
              // {
                bundle = noted given.bundle;
                ci = noted given.ci;
                redistributable = mapAttrs (_: noted) given.redistributable;
                manifest = withWarning given.manifest;
                manifestOf = asked: withWarning (given.manifestOf asked);
              }
            ) outputs.legacyPackages;
          };

        /**
          All outputs of a kernel's flake.

          `self` is the flake, `path` the folder with build.toml; `rev` is its commit, where `self` is
          not given. `torchVersions` changes the
          default list of Torch builds, `overlays` the package set;
          `doGetKernelCheck = false` leaves the import check out; `maxSize` is the number of bytes that a variant may have; `pythonCheckInputs` and
          `pythonNativeCheckInputs` add packages to the shells and tests; `localKernels` are the flakes of
          kernels that `kernel-depends` names, which are taken from there where there is no Hub;
          `precompiledHeaders` has C++ units take precompiled headers of Torch wherever they can (true) or nowhere (false).

          # Example

          ```nix
          outputs = { self, kernel-builder }:
            kernel-builder.lib.genKernelFlakeOutputs { inherit self; path = ./.; };
          ```

          # Type

          ```
          genKernelFlakeOutputs :: {
            self :: Flake | Null; path :: Path; rev :: String | Null; pythonCheckInputs :: PackageSet -> [Package]; pythonNativeCheckInputs :: PackageSet -> [Package];
            doGetKernelCheck :: Bool; maxSize :: Int | Null; torchVersions :: [Row] -> [Row]; overlays :: [Overlay];
            localKernels :: { ${repository} :: Flake; }; precompiledHeaders :: Bool | Null;
          } -> { packages; legacyPackages; devShells; }
          ```

          # Errors

          Everything that is wrong with build.toml or the list of Torch builds, at once.
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
              # Names are the same on every system.
              brought = builtins.attrNames ((packagesFor {
                system = "x86_64-linux";
                buildSystem = "x86_64-linux";
              } overlays)).dependencies;
            };
            legacyPackages = attributes.generate systems.all (
              system:
              outputsOf {
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
                source = sourceOf { inherit self rev; };
              }
            );
          in
          {
            inherit legacyPackages;
            # Not where the kernel has no variant: there `nix flake check` would fail. Asked by its name,
            # the bundle of legacyPackages says why.
            packages = attributes.generate systems.building (
              system:
              let
                outputs = legacyPackages.${system};
              in
              optionalAttrs (outputs.archVariants != [ ]) {
                default = outputs.bundle;
                inherit (outputs) bundle ci;
              }
            );
            devShells = attributes.generate systems.building (system: legacyPackages.${system}.devShells);
          };

        /**
          The outputs of a kernel on one system, for kernels without a flake.

          # Type

          ```
          kernelOutputsFor :: String -> Path -> AttrSet
          ```
        */
        kernelOutputsFor =
          system: root:
          outputsOf {
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
      };
  };
in
self
