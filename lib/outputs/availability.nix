# Says which variants of a kernel a package set can build, and why it cannot build the others.
{ values, messages, platforms, config, ... }:
let
  inherit (builtins) attrNames concatStringsSep elem filter;
  inherit (values) lists;
  inherit (messages.check) renderProblems;
  inherit (platforms) systems;
  inherit (config) dependencies;
  inherit (config.kernelLocks) listUnlockedDependencies;
in
{
  /**
    The result has functions of a variant. `obstacle` is the reason why the variant cannot be built, or
    null; without one it `isBuildable`. `importObstacle` is the reason why its build does not import it, or
    null. `testObstacle` is the reason why it has no tests and no test shell, or null; without one it `hasTests`. `describe` is the data that
    `list-variants --explain` shows. `plan` is the variant's plan with `warnings`, `problems` and
    `unavailable`; it also works for variants that cannot be built.

    Type: describeAvailability :: { kernel :: Kernel; system :: String; packageSet :: PackageSet;
      localKernels :: [String]; } -> { obstacle, importObstacle, testObstacle :: Variant -> String | Null;
      isBuildable, hasTests :: Variant -> Bool;
      describe, plan :: Variant -> AttrSet; }
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
      # Dependencies of the framework and of the variant's components that the package set lacks.
      missingDependencies =
        variant:
        filter (name: name != "torch" && !dependenciesOf variant ? ${name}) (
          lists.unique (
            depends ++ builtins.concatMap (component: kernel.config.components.${component}.depends) variant.components
          )
        );

      targetsOf = variant: name: variant.targets.${name} or [ ];

      orReason =
        answer: reason: variant:
        if !self.isBuildable variant then
          "no: it cannot be built"
        else if reason != null then
          "${answer}: ${reason}"
        else
          "yes";

      self = {
        obstacle =
          variant:
          if variant.problems != [ ] then
            renderProblems variant.problems
          else if !elem system systems.building then
            "variants for ${system} cannot be built by this version of kernel-builder"
          # A variant without compiled code needs no Torch.
          else if variant.compiled && isOfTorch && !packageSet.hasTorch variant.plan.torchBuild then
            "no wheel of Torch ${variant.plan.torchBuild} is pinned for ${system}"
          else if packageSet.compileObstacle variant.plan != null then
            packageSet.compileObstacle variant.plan
          else if missingDependencies variant != [ ] then
            "${concatStringsSep ", " (missingDependencies variant)} is not in the package set, which has ${
              concatStringsSep ", " (attrNames (dependenciesOf variant))
            }; add it with `overlays`, see docs/guide/cuda.md"
          else
            null;

        isBuildable = variant: self.obstacle variant == null;

        importObstacle =
          variant:
          let
            missingKernels = filter (repository: !elem repository localKernels) (
              map (kernel: kernel.repo-id) (
                listUnlockedDependencies kernel.locks (dependencies.of kernel.config variant.backend).kernel-depends
              )
            );
          in
          if !self.isBuildable variant then
            null
          else if missingKernels != [ ] then
            "it loads kernels that neither kernels.lock nor `localKernels` has (${concatStringsSep ", " missingKernels}); `nix run .#lock-kernels` locks them"
          else
            packageSet.importObstacle {
              inherit (variant) plan;
              isUsed = false;
            };

        hasTests = variant: self.isBuildable variant && self.testObstacle variant == null;

        # Call this only for variants without an `obstacle`.
        testObstacle =
          variant:
          packageSet.importObstacle {
            inherit (variant) plan;
            isUsed = true;
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
          # The release of Torch, or the full version if it is the row's own wheel.
          torchVersion = variant.wheel.build or variant.torch;
          partial = variant.partial or [ ];
          components = map (name: {
            inherit name;
            targets = targetsOf variant name;
          }) (lists.unique (variant.components ++ attrNames variant.targets));
          inherit (variant) warnings;
          notImported = self.importObstacle variant;
          # Texts for the user: "yes", or a short answer and the reason.
          import = orReason "no" (self.importObstacle variant) variant;
          shell = orReason "compiles only" (self.testObstacle variant) variant;
          tests = orReason "no" (self.testObstacle variant) variant;
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
