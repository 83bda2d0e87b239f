# What one kernel gives on one system: data (names, plans, what the command line
# reads) and builds. Everything is lazy: asking for one variant evaluates that one.
{ values, messages, config, matrix, plan, outputs, ... }:
let
  inherit (builtins) filter;
  inherit (values) attributes lists;
  inherit (messages.check) listChoices throwProblem;
  inherit (config.dependencies) listProjects;
  inherit (matrix.ranking) selectBest;
  inherit (plan) imports pythonFiles;
  inherit (outputs) shells;
  inherit (outputs.availability) describeAvailability;
  inherit (outputs.extras) makeExtras;
  inherit (outputs.localKernels) writeLocalKernels;
  inherit (outputs.manifest) makeManifests;
  inherit (outputs.metadata) makeMetadata;
  inherit (outputs.notice) printOnBuild;

  only = predicate: list: filter predicate list;
  # The others are built where they are asked for by name.
  bundled = only (variant: variant.bundle);
  here = system: only (variant: variant.system == system);
  ofBackend = backend: only (variant: variant.backend == backend);
  # One for all systems stands in a kernel's list once for each.
  namesOf = list: lists.unique (map (variant: variant.name) list);

  self = {
    /**
      Those of `makeKernelOutputs` that need no machine of their system: its shells and tests run there.

      # Type

      ```
      removeAuthorOutputs :: AttrSet -> AttrSet
      ```
    */
    removeAuthorOutputs = outputs: removeAttrs outputs shells.names;

    /**
      The outputs of a kernel for `system`. `packageSet` is one for that system (its
      overlays applied); `kernelFlakes` are those of kernels that it depends on; `provenance` says which commits
      are at work.

      # Type

      ```
      makeKernelOutputs :: { kernel :: Kernel; root :: Path; system :: String; packageSet :: PackageSet; doGetKernelCheck :: Bool; maxSize :: Int | Null; checkInputs :: PackageSet -> [Package]; kernelFlakes :: { ${repository} :: Flake; }; provenance :: AttrSet; } -> AttrSet
      ```
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
        inherit (kernel.config) general;
        local = here system kernel.variants;
        backendNames = filter (backend: ofBackend backend local != [ ]) general.backends;

        available = describeAvailability {
          inherit kernel system packageSet;
          localKernels = builtins.attrNames kernelFlakes;
        };
        inherit (available) obstacle;
        isBuildable = variant: obstacle variant == null;

        setFor = variant: packageSet.forPlan variant.plan;
        localFor = writeLocalKernels {
          flakes = kernelFlakes;
          inherit system;
          buildSystem = packageSet.buildSet.system;
        };
        build =
          variant:
          (setFor variant).buildVariant {
            inherit (variant) plan;
            inherit maxSize provenance;
            isImported = doGetKernelCheck && available.importObstacle variant == null;
            projects = listProjects kernel.config variant.backend;
            # Each file is a store path of its own, and only those that a unit reaches are read.
            fileOf = file: kernel.graph.${file}.inStore;
            pythonFiles = pythonFiles.filesOf {
              inherit root;
              inherit (kernel) config;
            };
            metadata = makeMetadata {
              inherit (kernel) config;
              inherit variant;
            };
            localKernels = localFor variant;
            sourcesOf = besides.sourcesOf variant.name variant.plan;
            usesTriton = imports.areImporting {
              inherit root;
              folders = [ "${kernel.config.framework.folder}/${general.python-name}" ];
              module = "triton";
            };
          };

        redistributable = attributes.byName (
          variant:
          if isBuildable variant then
            build variant
          else
            throw "${variant.name} cannot be built: ${obstacle variant}"
        ) local;

        chosen =
          names:
          attributes.generate names (
            name:
            redistributable.${name} or (throwProblem "${general.name} has no such variant" {
              at = "bundleOf";
              found = builtins.toJSON name;
              want = listChoices (namesOf local);
              fix = "correct the name";
            })
          );
        bundleOf =
          names:
          packageSet.buildBundle {
            kernel = general.name;
            variants = chosen names;
            extras = besides.beside (chosen names);
          };
        # Everything that was compiled for the bundle of these variants.
        contentsOf =
          names:
          packageSet.listContents {
            kernel = general.name;
            steps = builtins.concatMap (variant: [ variant ] ++ variant.steps ++ variant.objects) (
              builtins.attrValues (chosen names)
            );
            bundle = bundleOf names;
          };
        besides = makeExtras {
          inherit
            kernel
            root
            packageSet
            provenance
            ;
        };

        # A derivation as far as it can be listed: only who asks for more than its name is told
        # why there is none, as often as it is asked for. (Of an attribute that throws, Nix 2.8
        # says the second time that it is not a set.)
        refusal =
          message:
          let
            refused = throw "${general.name} has no ${message}";
          in
          {
            type = "derivation";
            inherit (general) name;
            inherit system;
            outputName = "out";
            drvPath = refused;
            outPath = refused;
          };
        # The bundle of the variants `chosen`, which are those of `list` that can be built, or of these the best.
        bundleOfAll =
          what: list: chosen:
          if chosen != [ ] then
            bundleOf (namesOf chosen)
          else if bundled list != [ ] then
            refusal "${what} that can be built on ${system}${listed (bundled list)}"
          else if list != [ ] then
            refusal "${what} that bundles have on ${system}; built by name: ${toString (namesOf list)}"
          else
            refusal "${what} on ${system}; its variants: ${toString (namesOf kernel.variants)}";
        bundleOfBuildable = what: list: bundleOfAll what list (filter isBuildable (bundled list));
        # Each reason once, with the variants that it holds for.
        listed =
          list:
          let
            byReason = builtins.groupBy obstacle (filter (variant: !isBuildable variant) list);
          in
          builtins.concatStringsSep "" (
            map (why: "\n\n       ${toString (namesOf byReason.${why})}: ${why}") (builtins.attrNames byReason)
          );
        # Nothing is left out of a bundle without a word.
        told =
          list: bundle:
          if builtins.all isBuildable (bundled list) || !builtins.any isBuildable (bundled list) then
            bundle
          else
            printOnBuild "left out of ${general.name}:${listed (bundled list)}" bundle;
        bundleOfBackend = backend: bundleOfBuildable "variant for ${backend}" (ofBackend backend local);
        best = selectBest {
          variants = filter isBuildable (bundled kernel.variants);
          inherit system;
        };
      in
      {
        bundle = told local (bundleOfBuildable "variant" local);
        ci = bundleOfAll "variant" local best;
        backendBundle = attributes.generate backendNames (
          backend: told (ofBackend backend local) (bundleOfBackend backend)
        );
        backendCi = attributes.generate backendNames (
          backend:
          bundleOfAll "variant for ${backend}" (ofBackend backend local) (ofBackend backend best)
        );
        contents = contentsOf (namesOf (filter isBuildable (bundled local)));
        inherit bundleOf contentsOf redistributable;
        # All of this for a few targets alone.
        forTargets = asked: self.makeKernelOutputs (args // { kernel = kernel.narrowedTo asked; });
        inherit (besides) card;

        variants = namesOf kernel.variants;
        archVariants = namesOf local;
        # Variants that cannot be built have a plan, too.
        plan = attributes.byName available.plan local;
        variantDetails = map available.describe local;
      }
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
      // shells.makeShellOutputs {
        inherit (kernel) config;
        inherit
          root
          packageSet
          setFor
          redistributable
          checkInputs
          localFor
          ;
        buildable = filter isBuildable local;
      };
  };
in
self
