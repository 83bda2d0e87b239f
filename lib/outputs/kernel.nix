# The outputs of one kernel on one system: selections of its variants, of which each is one value. All of it is lazy: a
# use of one variant evaluates only that variant.
{
  values,
  config,
  matrix,
  outputs,
  ...
}:
let
  inherit (builtins) concatMap filter mapAttrs;
  inherit (values.attributes) byName generate optionalAttrs;
  inherit (values.lists) unique;
  inherit (matrix.variants) nameVariants;

  # Outputs that have one field of each variant, by the names of variants.
  fields = {
    redistributable = "build";
    # Variants that cannot be built have a plan, too.
    plan = "explainedPlan";
  };
  authorFields = {
    ciTests = "ciTest";
    benchmarks = "benchmark";
    testShells = "testShell";
    project = "project";
  };
  selectFields = variants: mapAttrs (_: field: byName (variant: variant.${field}) variants);

  self = {
    /**
      The outputs of a kernel for `system` on a machine of `buildSystem`. `packageSet` is the package set for these
      systems with the flake's overlays; `provenance` names the commits of the kernel and of kernel-builder.

      Type: makeKernelOutputs :: { kernel :: Kernel; options :: Options; system, buildSystem :: String;
        packageSet :: PackageSet; provenance :: AttrSet; } -> AttrSet
    */
    makeKernelOutputs =
      {
        kernel,
        system,
        buildSystem,
        packageSet,
        provenance,
        ...
      }@arguments:
      let
        contextOf = kernel: outputs.context.makeContext (arguments // { inherit kernel; });
        context = contextOf kernel;
        outputsOf =
          kernel:
          map (outputs.variant.makeVariant (contextOf kernel)) (
            filter (variant: variant.system == system) kernel.variants
          );
        variants = outputsOf kernel;
        bundles = outputs.bundles.makeBundles context variants;
        remake = changed: self.makeKernelOutputs (arguments // changed);
        kernelDepends = unique (
          concatMap (
            backend: (config.dependencies.of kernel.config backend).kernel-depends
          ) kernel.config.general.backends
        );
        manifests = outputs.manifest.makeManifests context variants bundles.bundleOf;
        # The outputs that only serve authors on a machine of the kernel's system.
        forAuthors =
          selectFields variants authorFields
          // outputs.shells.makeShellOutputs context variants
          // {
            versionChecks = outputs.versions.makeVersionChecks context variants outputsOf;
            forMachine = outputs.presence.selectForMachine (manifests // forAuthors);
          }
          // generate [
            "build-and-copy"
            "build-and-upload"
            "create-pyproject"
          ] packageSet.kernelTool
          // optionalAttrs (kernelDepends != [ ]) { lock-kernels = packageSet.lockKernels kernelDepends; };
      in
      {
        variants = nameVariants kernel.variants;
        archVariants = nameVariants variants;
        variantDetails = map (variant: variant.details) variants;
        # The same outputs, compiled for a few targets only.
        forTargets = requested: remake { kernel = kernel.narrowedTo requested; };
        # The same outputs, with another Torch for variants whose own cannot be had.
        withoutTorch = lacking: remake { kernel = kernel.withoutTorch lacking; };
        # The same outputs without commits in their provenance. Their derivations differ only if the kernel or its
        # tools differ, so a CI compares them (.ci/changed-kernels.py).
        withoutCommits = remake {
          provenance.kernel-builder = {
            inherit (provenance.kernel-builder) version;
          };
        };
      }
      // selectFields variants fields
      // bundles
      // manifests
      // optionalAttrs (system == buildSystem) forAuthors;
  };
in
self
