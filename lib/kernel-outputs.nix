# What one kernel gives on one system: data (names, plans, the manifest that the command
# line reads) and builds. Everything is lazy: asking for one variant evaluates that one.
{
  attributes,
  check,
  config,
  matrix,
  modules,
  paths,
  scan,
  variants,
  ...
}:
let
  inherit (builtins) filter;

  only = predicate: list: filter predicate list;
  here = system: only (variant: variant.system == system);
  ofBackend = backend: only (variant: variant.backend == backend);
  namesOf = map (variant: variant.name);

  self = {
    /**
      The variants of the kernel in `root`, on every system.

      # Type

      ```
      readKernel :: { root :: Path; torchVersions :: [Entry] -> [Entry]; } -> { config :: Config; all :: [Variant]; graph :: Graph; }
      ```

      # Errors

      All problems of build.toml, or all of the list of Torch versions, at once.
    */
    readKernel =
      { root, torchVersions }:
      let
        read = config.readConfig { inherit root; };
      in
      {
        config = read;
        all = variants.variantsOf {
          config = read;
          matrix = matrix.fromUser { inherit torchVersions; };
        };
        graph = scan.scanKernel {
          inherit root;
          config = read;
        };
      };

    /**
      The outputs of a kernel on `system`. `packages` is the package set of that system (its
      overlays applied); `provenance` says which commits are at work.

      # Type

      ```
      outputsFor :: { kernel :: Kernel; root :: Path; system :: String; packages :: PackageSet; doGetKernelCheck :: Bool; provenance :: AttrSet; } -> AttrSet
      ```
    */
    outputsFor =
      {
        kernel,
        root,
        system,
        packages,
        doGetKernelCheck,
        provenance,
      }:
      let
        inherit (kernel.config) general;
        local = here system kernel.all;
        backendNames = filter (backend: ofBackend backend local != [ ]) general.backends;

        # Why a variant cannot be built, or null.
        obstacle =
          variant:
          if variant.problems != [ ] then
            check.render variant.problems
          else if !builtins.elem variant.backend packages.builtBackends then
            "the ${variant.backend} backend cannot be built by this version of kernel-builder"
          else if !variant.noarch && !packages.hasTorch (self.torchBuildOf variant) then
            "no wheel of Torch ${self.torchBuildOf variant} is pinned for ${system}"
          else
            null;
        isBuildable = variant: obstacle variant == null;

        importWarnings =
          variant:
          let
            why = packages.importObstacle (self.torchBuildOf variant);
          in
          if !isBuildable variant || variant.noarch || why == null then
            [ ]
          else
            [
              {
                at = variant.name;
                found = "no import check";
                want = "a Torch that can be imported in the build";
                fix = "none needed: ${why}; try the variant where it is used";
              }
            ];

        build =
          variant:
          (packages.forVariant variant (self.torchBuildOf variant)).buildVariant
            {
              inherit
                root
                variant
                doGetKernelCheck
                provenance
                ;
              inherit (kernel) config graph;
            };

        byName =
          valueOf: list:
          builtins.listToAttrs (
            map (variant: {
              inherit (variant) name;
              value = valueOf variant;
            }) list
          );

        redistributable = byName (
          variant:
          if isBuildable variant then
            build variant
          else
            throw "${variant.name} cannot be built: ${obstacle variant}"
        ) local;

        bundleOf =
          names:
          packages.buildBundle {
            kernel = general.name;
            variants = attributes.generate names (
              name:
              redistributable.${name} or (throw ''
                ${general.name} has no such variant

                       at     bundleOf
                       found  ${builtins.toJSON name}
                       want   ${check.oneOfText (namesOf local)}
                       fix    correct the name'')
            );
            extras = benchmarks // card;
          };

        has = name: builtins.pathExists (root + "/${name}");
        benchmarks = if has "benchmarks" then { benchmarks = paths.alone (root + "/benchmarks"); } else { };
        card =
          if has "CARD.md" then
            {
              "CARD.md" = packages.fillCard {
                kernel = general.name;
                template = paths.alone (root + "/CARD.md");
                modules = modules.filesOf {
                  inherit root;
                  inherit (kernel) config;
                };
                values = {
                  inherit (general)
                    name
                    version
                    license
                    upstream
                    source
                    backends
                    ;
                  repo_id = general.hub.repo-id;
                  has_benchmark = has "benchmarks";
                };
              };
            }
          else
            { };

        bundleOfAll =
          what: list:
          let
            buildable = filter isBuildable list;
          in
          if buildable == [ ] then
            throw "${general.name} has no ${what} that can be built on ${system}${listed list}"
          else
            bundleOf (namesOf buildable);
        listed =
          list:
          builtins.concatStringsSep "" (
            map (variant: "\n\n       ${variant.name}: ${obstacle variant}") (
              filter (variant: !isBuildable variant) list
            )
          );
        # Nothing is left out of a bundle without a word.
        told =
          list: bundle:
          if builtins.all isBuildable list then
            bundle
          else
            builtins.trace "kernel-builder: left out of ${general.name}:${listed list}" bundle;
        bundleOfBackend = backend: bundleOfAll "variant for ${backend}" (ofBackend backend local);
        buildableBackends = filter (
          backend: builtins.any isBuildable (ofBackend backend local)
        ) backendNames;
        best = variants.best {
          variants = filter isBuildable kernel.all;
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

        variants = namesOf kernel.all;
        archVariants = namesOf local;
        plan = byName (variant: redistributable.${variant.name}.plan) local;
        manifest = {
          inherit (general) name;
          inherit system;
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
                hosts
                ;
              warnings = variant.warnings ++ importWarnings variant;
            }
            // (
              if isBuildable variant then
                outline redistributable.${variant.name}
              else
                { unavailable = obstacle variant; }
            )
          ) local;
        };
      };

    /**
      What Torch calls the build that a variant is for.

      # Example

      ```nix
      torchBuildOf { torch = "2.13.0"; compute = "cu130"; … }
      => "2.13.0+cu130"
      ```

      # Type

      ```
      torchBuildOf :: Variant -> String
      ```
    */
    torchBuildOf = variant: "${variant.torch}+${variant.compute}";
  };
in
self
