# The outputs of one kernel on one system: data (names, plans, the manifest) and builds. All of it
# is lazy: a use of one variant evaluates only that variant.
{ values, messages, config, matrix, plan, outputs, ... }:
let
  inherit (builtins)
    attrValues
    concatMap
    concatStringsSep
    elem
    filter
    partition
    toJSON
    ;
  inherit (values) attributes lists;
  inherit (values.attributes) optionalAttrs;
  inherit (messages.check) listChoices throwProblem;
  inherit (config) dependencies;
  inherit (config.dependencies) listProjects;
  inherit (matrix.variants) nameVariants;
  inherit (plan.imports) isImported;
  inherit (plan.pythonFiles) selectPythonFiles;
  inherit (outputs.availability) describeAvailability;
  inherit (outputs.bundles) makeBundles;
  inherit (outputs.extras) makeExtras;
  inherit (outputs.localKernels) writeLocalKernels;
  inherit (outputs.manifest) makeManifests;
  inherit (outputs.metadata) makeMetadata;
  inherit (outputs.shells) authorOutputs makeShellOutputs;
  inherit (outputs.wheels) describeWheel;

  self = {
    /**
      The outputs of `makeKernelOutputs` without shells and tests, which only run on a machine of the
      kernel's system. A cross build has these outputs.

      Type: removeAuthorOutputs :: AttrSet -> AttrSet
    */
    removeAuthorOutputs = outputs: removeAttrs outputs authorOutputs;

    /**
      The outputs of a kernel for `system`. `packageSet` is the package set of that system with the
      flake's overlays; `kernelFlakes` are the flakes of kernels in `kernel-depends`; `provenance`
      names the commits of the kernel and of kernel-builder.

      Type: makeKernelOutputs :: { kernel :: Kernel; root :: Path; system :: String; packageSet :: PackageSet;
        doGetKernelCheck :: Bool; maxSize :: Int | Null; checkInputs :: PackageSet -> [Package];
        kernelFlakes :: { ${repository} :: Flake; }; provenance :: AttrSet; } -> AttrSet
    */
    makeKernelOutputs =
      {
        kernel,
        root,
        system,
        packageSet,
        doGetKernelCheck,
        maxSize,
        checkInputs,
        kernelFlakes,
        provenance,
      }@args:
      let
        inherit (kernel) config;
        inherit (config) general;
        local = filter (variant: variant.system == system) kernel.variants;

        available = describeAvailability {
          inherit kernel system packageSet;
          localKernels = builtins.attrNames kernelFlakes;
        };
        inherit (available) isBuildable;
        dependsOnKernels = lists.unique (
          concatMap (backend: (dependencies.of config backend).kernel-depends) general.backends
        );
        bundled = filter (variant: variant.bundle && isBuildable variant) local;

        setFor = variant: packageSet.forPlan variant.plan;
        localFor =
          variant:
          let
            own = (dependencies.of config variant.backend).kernel-depends;
            sorted = partition (lock: elem lock.dependency own) kernel.locks;
          in
          writeLocalKernels {
            flakes = kernelFlakes;
            # Backends may load different versions of a kernel. The first lock of a kernel counts.
            locks = sorted.right ++ sorted.wrong;
            inherit (packageSet) fetchKernel;
            inherit system;
            buildSystem = packageSet.buildSet.system;
          } variant;
        extras = makeExtras {
          inherit
            kernel
            root
            packageSet
            provenance
            ;
        };

        # The import check tells names that another backend's sources define from typing errors.
        definingFiles = filter (file: kernel.graph.${file}.mayDefineOperators) (builtins.attrNames kernel.graph);

        buildVariant =
          variant:
          (setFor variant).buildVariant {
            inherit (variant) plan;
            inherit maxSize provenance;
            isImported = doGetKernelCheck && available.importObstacle variant == null;
            projects = listProjects config variant.backend;
            # Each file is its own store path. Only files that a unit reaches are copied to the store.
            fileOf = file: kernel.graph.${file}.inStore;
            inherit definingFiles;
            pythonFiles = selectPythonFiles { inherit root config; };
            metadata = makeMetadata { inherit config variant; };
            localKernels = localFor variant;
            sourcesOf = extras.sourcesOf variant.name variant.plan;
            usesTriton = isImported {
              inherit root;
              folders = [ "${config.framework.folder}/${general.python-name}" ];
              module = "triton";
            };
          };

        redistributable = attributes.byName (
          variant:
          if isBuildable variant then
            buildVariant variant
          else
            throw "${variant.name} cannot be built: ${available.obstacle variant}"
        ) local;

        select =
          names:
          attributes.generate names (
            name:
            redistributable.${name} or (throwProblem "${general.name} has no such variant" {
              at = "bundleOf";
              found = concatStringsSep ": " (
                [ (toJSON name) ]
                ++ map (reason: reason.found) (filter (reason: elem name reason.names) (kernel.leftOut system))
              );
              want = listChoices (nameVariants local);
              fix = "correct the name";
            })
          );
        bundleOf =
          names:
          packageSet.buildBundle {
            kernel = general.name;
            variants = select names;
            extras = extras.beside (select names);
          };
        bundles = makeBundles {
          inherit
            kernel
            system
            local
            available
            bundleOf
            ;
        };
        wheelOf =
          variant:
          let
            described = describeWheel { inherit config variant; };
          in
          {
            inherit described;
            wheel = packageSet.buildWheel {
              inherit described;
              variant = redistributable.${variant.name};
            };
          };
        # A folder with the wheels of these variants.
        wheelsOf =
          names:
          packageSet.buildWheelIndex {
            kernel = general.name;
            distribution = general.python-name;
            wheels = map wheelOf (filter (variant: elem variant.name names) local);
          };
        # All build steps of the bundle of these variants.
        contentsOf =
          names:
          packageSet.listContents {
            kernel = general.name;
            steps = concatMap (variant: [ variant ] ++ variant.steps ++ variant.objects) (
              attrValues (select names)
            );
            bundle = bundleOf names;
          };
      in
      {
        inherit
          bundleOf
          contentsOf
          redistributable
          wheelsOf
          ;
        contents = contentsOf (nameVariants bundled);
        # A folder with the wheels of all bundled variants. Each variant's wheel is an attribute.
        wheels =
          (if bundled == [ ] then bundles.bundle else wheelsOf (nameVariants bundled))
          // attributes.byName (variant: (wheelOf variant).wheel) local;
        # The same outputs, compiled for a few targets only.
        forTargets = requested: self.makeKernelOutputs (args // { kernel = kernel.narrowedTo requested; });
        # The same outputs without commits in their provenance. Their derivations differ only if the kernel or its
        # tools differ, so `build --changed-since` compares them.
        withoutCommits = self.makeKernelOutputs (
          args // { provenance.kernel-builder = { inherit (provenance.kernel-builder) version; }; }
        );
        inherit (extras) card;
        stable-abi-report = packageSet.stableAbiReport {
          kernel = general.name;
          variants = map (variant: variant // { plan = available.plan variant; }) local;
          fileOf = file: kernel.graph.${file}.inStore;
        };

        variants = nameVariants kernel.variants;
        archVariants = nameVariants local;
        # Variants that cannot be built have a plan, too.
        plan = attributes.byName available.plan local;
        variantDetails = map available.describe local;
      }
      // bundles
      // makeManifests {
        inherit
          kernel
          system
          local
          available
          redistributable
          bundleOf
          ;
      }
      // makeShellOutputs {
        inherit
          config
          root
          packageSet
          setFor
          redistributable
          checkInputs
          localFor
          local
          available
          ;
      }
      // optionalAttrs (dependsOnKernels != [ ]) {
        lock-kernels = packageSet.lockKernels dependsOnKernels;
      };
  };
in
self
