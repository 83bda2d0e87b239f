# Says which variants of a kernel a package set can build, and why it cannot build the others.
{ values, messages, config, ... }:
let
  inherit (builtins) attrNames concatMap concatStringsSep elem filter replaceStrings;
  inherit (values) lists;
  inherit (messages.check) renderProblems;
  inherit (config) dependencies;

  # Dependencies of the framework and of the variant's sections that the package set lacks.
  missingDependencies =
    kernel: dependencies: variant:
    filter (name: name != "torch" && !dependencies ? ${name}) (
      lists.unique (
        kernel.config.framework.depends
        ++ concatMap (section: section.depends) variant.sections
      )
    );

  # Adds the paragraph of `list-variants --explain`.
  addText =
    variant:
    let
      indent = replaceStrings [ "\n\n" "\n" ] [ "\n\n  " "\n  " ];
      words = concatStringsSep " ";
      line = name: value: lists.optionals (value != null && value != "") [ "${name}: ${value}" ];
      section = title: text: [ "" "${title}:" "  ${indent text}" ];
      lines =
        line "backend" (words (filter (word: word != null) [ variant.backend variant.toolkit ]))
        ++ line "torch" (if variant.compiled then variant.torchVersion else null)
        ++ line "stable ABI" variant.stableAbi
        ++ line "sources" (concatStringsSep ", " variant.hosts)
        ++ line "bundles" (if variant.bundle then null else "no, built by its name")
        ++ line "partial" (words variant.partial)
        ++ concatMap (of: line "component ${of.name}" (words of.targets)) variant.components
        ++ concatMap (name: line name variant.${name}) [ "import" "shell" "tests" ]
        ++ concatMap (warning: section "warning" (renderProblems [ warning ])) variant.warnings
        ++ lists.optionals (variant.unavailable != null) (section "cannot be built" variant.unavailable);
    in
    variant // { text = indent (concatStringsSep "\n" ([ variant.name ] ++ lines)); };

  describeVariant =
    available: isOfTorch: variant:
    let
      # "yes", or a short answer and the reason.
      orReason =
        answer: reason:
        if !available.isBuildable variant then
          "no: it cannot be built"
        else if reason != null then
          "${answer}: ${reason}"
        else
          "yes";
    in
    {
      inherit isOfTorch;
      inherit (variant) name backend torch toolkit compute stableAbi compiled bundle hosts warnings;
      # The release of Torch, or the full version if it is another build than that of the release.
      torchVersion =
        variant.wheel.build or (
          if variant.torchBuild == "${variant.torch}+${variant.compute}" then variant.torch else variant.torchBuild
        );
      partial = variant.partial or [ ];
      # Noarch variants have targets, but no sections.
      components =
        map (section: {
          inherit (section) name;
          targets = variant.targets.${section.at} or [ ];
        }) (filter (section: section.backend == variant.backend || variant.targets ? ${section.at}) variant.sections)
        ++ lists.optionals (!variant.compiled) (
          map (name: { inherit name; targets = variant.targets.${name}; }) (attrNames variant.targets)
        );
      notImported = available.importObstacle variant;
      import = orReason "no" (available.importObstacle variant);
      shell = orReason "compiles only" (available.testObstacle variant);
      tests = orReason "no" (available.testObstacle variant);
      unavailable = available.obstacle variant;
    };
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
      isBuildable, hasTests :: Variant -> Bool; describe, plan :: Variant -> AttrSet; }
  */
  describeAvailability =
    { kernel, system, packageSet, localKernels }:
    let
      inherit (kernel.config.framework) isOfTorch;
      importObstacle =
        isUsed: variant:
        packageSet.importObstacle { inherit (variant) plan; inherit isUsed; };
      locked = map (lock: lock.dependency) kernel.locks;
      # Kernels that an import of the variant loads, and that nobody provides.
      missingKernels =
        variant:
        filter (repository: !elem repository localKernels) (
          map (dependency: dependency.repo-id) (
            filter (dependency: !elem dependency locked)
              (dependencies.of kernel.config variant.backend).kernel-depends
          )
        );

      self = {
        obstacle =
          variant:
          let
            inherit (packageSet.forPlan variant.plan) dependencies;
            missing = missingDependencies kernel dependencies variant;
          in
          if variant.problems != [ ] then
            renderProblems variant.problems
          # A variant without compiled code needs no Torch.
          else if variant.compiled && isOfTorch && !packageSet.hasTorch variant.plan.torchBuild then
            "no wheel of Torch ${variant.plan.torchBuild} is pinned for ${system}"
          else if packageSet.compileObstacle variant.plan != null then
            packageSet.compileObstacle variant.plan
          else if missing != [ ] then
            "${concatStringsSep ", " missing} is not in the package set, which has ${
              concatStringsSep ", " (attrNames dependencies)
            }; add it with `overlays`, see docs/guide/cuda.md"
          else
            null;

        isBuildable = variant: self.obstacle variant == null;

        importObstacle =
          variant:
          if !self.isBuildable variant then
            null
          else if missingKernels variant != [ ] then
            "it loads kernels that neither kernels.lock nor `localKernels` has (${concatStringsSep ", " (missingKernels variant)}); `nix run .#lock-kernels` locks them"
          else
            importObstacle false variant;

        # Call this only for variants without an `obstacle`.
        testObstacle = importObstacle true;

        hasTests = variant: self.isBuildable variant && self.testObstacle variant == null;

        describe = variant: addText (describeVariant self isOfTorch variant);

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
