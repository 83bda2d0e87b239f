# What one kernel gives on one system: data (names, plans, the manifest that the command
# line reads) and builds. Everything is lazy: asking for one variant evaluates that one.
{
  attributes,
  availability,
  check,
  config,
  extras,
  imports,
  metadata,
  pythonFiles,
  shellOutputs,
  ranking,
  ...
}:
let
  inherit (builtins) filter;

  only = predicate: list: filter predicate list;
  # The others are built where they are asked for by name.
  bundled = only (variant: variant.bundle);
  here = system: only (variant: variant.system == system);
  ofBackend = backend: only (variant: variant.backend == backend);
  namesOf = map (variant: variant.name);

  self = {
    /**
      The outputs of a kernel on `system`. `packageSet` is that of that system (its
      overlays applied); `provenance` says which commits are at work.

      # Type

      ```
      outputsFor :: { kernel :: Kernel; root :: Path; system :: String; packageSet :: PackageSet; doGetKernelCheck :: Bool; checkInputs :: PackageSet -> [Package]; provenance :: AttrSet; } -> AttrSet
      ```
    */
    outputsFor =
      {
        kernel,
        root,
        system,
        packageSet,
        doGetKernelCheck,
        checkInputs,
        provenance,
      }:
      let
        inherit (kernel.config) general;
        local = here system kernel.variants;
        backendNames = filter (backend: ofBackend backend local != [ ]) general.backends;

        available = availability.availabilityOf { inherit kernel system packageSet; };
        inherit (available) obstacle;
        isBuildable = variant: obstacle variant == null;

        setFor = variant: packageSet.forPlan variant.plan;
        build =
          variant:
          (setFor variant).buildVariant {
            inherit (variant) plan;
            inherit provenance;
            isImported = doGetKernelCheck && available.importObstacle variant == null;
            projects = config.projectsOf kernel.config variant.backend;
            # Each file is a store path of its own, and only those that a unit reaches are read.
            fileOf = file: kernel.graph.${file}.inStore;
            pythonFiles = pythonFiles.filesOf {
              inherit root;
              inherit (kernel) config;
            };
            metadata = metadata.metadataOf {
              inherit (kernel) config;
              inherit variant;
            };
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

        bundleOf =
          names:
          let
            chosen = attributes.generate names (
              name:
              redistributable.${name} or (check.refuse "${general.name} has no such variant" {
                at = "bundleOf";
                found = builtins.toJSON name;
                want = check.oneOfText (namesOf local);
                fix = "correct the name";
              })
            );
          in
          packageSet.buildBundle {
            kernel = general.name;
            variants = chosen;
            extras = besides.beside chosen;
          };
        besides = extras.extrasOf {
          inherit
            kernel
            root
            packageSet
            provenance
            ;
        };

        bundleOfAll =
          what: list:
          let
            wanted = bundled list;
            buildable = filter isBuildable wanted;
          in
          if buildable != [ ] then
            bundleOf (namesOf buildable)
          else if wanted != [ ] then
            throw "${general.name} has no ${what} that can be built on ${system}${listed wanted}"
          else if list != [ ] then
            throw "${general.name} has no ${what} that bundles have on ${system}; built by name: ${toString (namesOf list)}"
          else
            throw "${general.name} has no ${what} on ${system}; its variants: ${toString (namesOf kernel.variants)}";
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
            builtins.trace "kernel-builder: left out of ${general.name}:${listed (bundled list)}" bundle;
        bundleOfBackend = backend: bundleOfAll "variant for ${backend}" (ofBackend backend local);
        buildableBackends = filter (
          backend: builtins.any isBuildable (bundled (ofBackend backend local))
        ) backendNames;
        best = ranking.best {
          variants = filter isBuildable (bundled kernel.variants);
          inherit system;
        };
        outline = derivation: {
          drv = derivation.drvPath;
          out = derivation.outPath;
        };
      in
      {
        bundle = told local (bundleOfAll "variant" local);
        ci = bundleOfAll "variant" best;
        backendBundle = attributes.generate backendNames (
          backend: told (ofBackend backend local) (bundleOfBackend backend)
        );
        backendCi = attributes.generate backendNames (
          backend: bundleOfAll "variant for ${backend}" (ofBackend backend best)
        );
        inherit bundleOf redistributable;
        inherit (besides) card;

        variants = namesOf kernel.variants;
        archVariants = namesOf local;
        # Variants that cannot be built have a plan, too.
        plan = attributes.byName available.plan local;
        variantDetails = map available.describe local;
        manifest = {
          inherit (general) name version;
          inherit system;
          pythonFolder = "${kernel.config.framework.folder}/${general.python-name}";
          hub = {
            inherit (general.hub) repo-id branch;
          };
          bundle = if buildableBackends == [ ] then null else outline (bundleOfAll "variant" local);
          backendBundles = attributes.generate buildableBackends (backend: outline (bundleOfBackend backend));
          warnings = map (warning: check.render [ warning ]) kernel.config.warnings;
          variants = map (
            variant:
            {
              inherit (variant)
                name
                backend
                torch
                compute
                bundle
                hosts
                ;
              warnings = available.warnings variant;
              notImported = available.importObstacle variant;
            }
            // (
              if isBuildable variant then
                outline redistributable.${variant.name}
                // {
                  reports = map (object: "${object.report}") (
                    filter (object: object ? report) (redistributable.${variant.name}.objects or [ ])
                  );
                }
              else
                { unavailable = obstacle variant; }
            )
          ) local;
        };
      }
      // shellOutputs.outputsFor {
        inherit (kernel) config;
        inherit
          root
          packageSet
          setFor
          redistributable
          checkInputs
          ;
        buildable = filter isBuildable local;
      };
  };
in
self
