# The outputs of one kernel on one system: data (names, plans, the manifest) and builds. All of it
# is lazy: a use of one variant evaluates only that variant.
{ values, config, matrix, plan, outputs, ... }:
let
  inherit (builtins) attrNames elem filter;
  inherit (values) attributes lists;
  inherit (values.attributes) optionalAttrs;
  inherit (config) dependencies;
  inherit (matrix.variants) nameVariants;
  inherit (outputs.availability) describeAvailability;
  inherit (outputs.builds) buildVariants;
  inherit (outputs.bundles) makeBundles;
  inherit (outputs.manifest) makeManifests;
  inherit (outputs.shells) makeShellOutputs;
  inherit (outputs.versions) makeVersionChecks;
  inherit (outputs.wheels) describeWheel;

  # `wheelsOf` makes a folder with the wheels of these variants, and `wheels` of all bundled ones. Each variant's wheel
  # is an attribute of `wheels`.
  wheelOutputs =
    here: bundle:
    let
      inherit (here) local packageSet;
      inherit (here.kernel) config;
      wheelOf =
        variant:
        let
          described = describeWheel { inherit config variant; };
        in
        {
          inherit described;
          wheel = packageSet.buildWheel {
            inherit described;
            variant = here.redistributable.${variant.name};
          };
        };
      wheelsOf =
        names:
        packageSet.buildWheelIndex {
          kernel = config.general.name;
          distribution = config.general.python-name;
          wheels = map wheelOf (filter (variant: elem variant.name names) local);
        };
    in
    {
      inherit wheelsOf;
      wheels =
        (if here.bundled == [ ] then bundle else wheelsOf (nameVariants here.bundled))
        // attributes.byName (variant: (wheelOf variant).wheel) local;
    };

  # The outputs that only serve authors on a machine of the kernel's system.
  authorOutputs =
    here:
    let
      inherit (here) packageSet;
      inherit (here.kernel) config;
      projectOf =
        variant:
        let
          project = plan.project.planProject {
            inherit config;
            inherit (variant) plan;
            pythonDepends = dependencies.listProjects config variant.backend;
          };
        in
        project // { files = packageSet.projectFiles project; };
      kernelDepends = lists.unique (
        builtins.concatMap (backend: (dependencies.of config backend).kernel-depends) config.general.backends
      );
    in
    makeShellOutputs here
    // {
      versionChecks = makeVersionChecks here here.remake;
      # The build of a variant that cannot be built throws the reason.
      project = attributes.byName (
        variant:
        if here.available.isBuildable variant then projectOf variant else here.redistributable.${variant.name}
      ) here.local;
    }
    // attributes.generate [
      "build-and-copy"
      "build-and-upload"
      "create-pyproject"
    ] packageSet.kernelTool
    // optionalAttrs (kernelDepends != [ ]) { lock-kernels = packageSet.lockKernels kernelDepends; };

  self = {
    /**
      The outputs of a kernel for `system` on a machine of `buildSystem`. `packageSet` is the package set for these
      systems with the flake's overlays; `provenance` names the commits of the kernel and of kernel-builder.

      All outputs are made from one record, `here`. Besides the arguments it has

      - `local`, the kernel's variants for the system, and those of them that bundles have: `bundled`;
      - `available`, functions that say what can be built (`describeAvailability`);
      - `fileOf`, the store path of one of its files;
      - `redistributable`, the builds of the variants by name;
      - `remake`, a function from a kernel to its outputs, with the same arguments otherwise;
      - `bundleOf`, a function from names of variants to their bundle.

      Type: makeKernelOutputs :: { kernel :: Kernel; options :: Options; system, buildSystem :: String;
        packageSet :: PackageSet; provenance :: AttrSet; } -> AttrSet
    */
    makeKernelOutputs =
      { kernel, options, system, buildSystem, packageSet, provenance }@arguments:
      let
        here = arguments // {
          local = filter (variant: variant.system == system) kernel.variants;
          bundled = filter (variant: variant.bundle && available.isBuildable variant) here.local;
          available = describeAvailability {
            inherit kernel system packageSet;
            localKernels = attrNames options.localKernels;
          };
          # Each file is its own store path. Only files that a unit reaches are copied to the store.
          fileOf = file: kernel.graph.${file}.inStore;
          redistributable = buildVariants here;
          inherit (bundles) bundleOf;
          remake = kernel: remake { inherit kernel; };
        };
        inherit (here) available local;
        bundles = makeBundles here;
        remake = changed: self.makeKernelOutputs (arguments // changed);
      in
      {
        inherit (here) redistributable;
        variants = nameVariants kernel.variants;
        archVariants = nameVariants local;
        # Variants that cannot be built have a plan, too.
        plan = attributes.byName available.plan local;
        variantDetails = map available.describe local;
        # The same outputs, compiled for a few targets only.
        forTargets = requested: here.remake (kernel.narrowedTo requested);
        # The same outputs without commits in their provenance. Their derivations differ only if the kernel or its
        # tools differ, so a CI compares them (.ci/changed-kernels.py).
        withoutCommits = remake {
          provenance.kernel-builder = { inherit (provenance.kernel-builder) version; };
        };
        stable-abi-report = packageSet.stableAbiReport {
          kernel = kernel.config.general.name;
          variants = map (variant: variant // { plan = available.plan variant; }) local;
          inherit (here) fileOf;
        };
      }
      // bundles
      // wheelOutputs here bundles.bundle
      // makeManifests here
      // optionalAttrs (system == buildSystem) (authorOutputs here);
  };
in
self
