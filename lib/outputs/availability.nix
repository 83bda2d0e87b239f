# Which variants of a kernel a package set can build, why not the others, and all that
# there is to say of each without building it.
{ values, messages, platforms, config, ... }:
let
  inherit (builtins)
    attrNames
    concatMap
    concatStringsSep
    elem
    filter
    ;
  inherit (values) lists;
  inherit (messages.check) renderProblems;
  inherit (platforms) systems;
  inherit (config) dependencies;
in
{
  /**
    What a package set makes of a kernel's variants, as functions of one variant.

    `obstacle` is why it cannot be built, or null; `importObstacle` why one that can is not
    imported in the build. `describe` is what `list-variants --explain`
    shows. `plan` is the variant's plan with `warnings`, `problems` and `unavailable` beside it;
    a variant that cannot be built has one, too.

    # Type

    ```
    describeAvailability :: { kernel :: Kernel; system :: String; packageSet :: PackageSet; localKernels :: [String]; }
      -> { obstacle :: Variant -> String | Null; importObstacle :: Variant -> String | Null; describe :: Variant -> AttrSet; plan :: Variant -> AttrSet; }
    ```
  */
  describeAvailability =
    {
      kernel,
      system,
      packageSet,
      localKernels,
    }:
    let
      inherit (kernel.config.framework) isOfTorch depends;
      dependenciesOf = variant: (packageSet.forPlan variant.plan).dependencies;
      # What its components depend on and nobody provides.
      lacking =
        variant:
        filter (name: name != "torch" && !dependenciesOf variant ? ${name}) (
          lists.unique (
            depends ++ concatMap (component: kernel.config.components.${component}.depends) variant.components
          )
        );

      targetsOf = variant: name: variant.targets.${name} or [ ];

      self = {
        obstacle =
          variant:
          if variant.problems != [ ] then
            renderProblems variant.problems
          else if !elem system systems.building then
            "variants for ${system} cannot be built by this version of kernel-builder"
          # Nothing is compiled for a variant without code, so no compiler is missing.
          else if variant.compiled && !packageSet.backends ? ${variant.backend} then
            "the ${variant.backend} backend cannot be built by this version of kernel-builder"
          else if variant.compiled && isOfTorch && !packageSet.hasTorch variant.plan.torchBuild then
            "no wheel of Torch ${variant.plan.torchBuild} is pinned for ${system}"
          else if lacking variant != [ ] then
            "${concatStringsSep ", " (lacking variant)} is not in the package set, which has ${concatStringsSep ", " (attrNames (dependenciesOf variant))}; bring it through `overlays`, see docs/cuda.md"
          else
            null;

        importObstacle =
          variant:
          let
            loaded = filter (repository: !elem repository localKernels) (
              map (kernel: kernel.repo-id) (
                (dependencies.of kernel.config variant.backend).kernel-depends
              )
            );
          in
          if self.obstacle variant != null then
            null
          else if loaded != [ ] then
            "it loads kernels that a build cannot download and `localKernels` does not give (${concatStringsSep ", " loaded})"
          else
            packageSet.importObstacle {
              build = variant.plan.torchBuild;
              isUsed = false;
            };

        describe = variant: {
          inherit isOfTorch;
          inherit (variant)
            name
            backend
            torch
            toolkit
            compute
            stableAbi
            compiled
            bundle
            hosts
            ;
          partial = variant.partial or [ ];
          components = map (name: {
            inherit name;
            targets = targetsOf variant name;
          }) (lists.unique (variant.components ++ attrNames variant.targets));
          inherit (variant) warnings;
          notImported = self.importObstacle variant;
          unavailable = self.obstacle variant;
        };

        plan =
          variant:
          variant.plan
          // {
            inherit (variant) problems warnings;
            unavailable = self.obstacle variant;
          };
      };
    in
    self;
}
