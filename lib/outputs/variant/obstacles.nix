# Says why a package set cannot build, import or test a variant.
{
  values,
  messages,
  config,
  ...
}:
let
  inherit (builtins)
    attrNames
    concatMap
    concatStringsSep
    elem
    filter
    ;
  inherit (values.lists) unique;

  # Dependencies of the framework and of the variant's sections that the package set lacks.
  listMissingPackages =
    { kernel, ... }:
    output:
    filter (name: name != "torch" && !output.set.dependencies ? ${name}) (
      unique (
        kernel.config.framework.depends ++ concatMap (section: section.depends) output.sections
      )
    );

  # Kernels that an import of the variant loads, and that neither a lock nor a flake provides.
  listMissingKernels =
    { kernel, options, ... }:
    output:
    let
      locked = map (lock: lock.dependency) kernel.locks;
      isMissing = kernel: !elem kernel locked && !options.localKernels ? ${kernel.repo-id};
    in
    map (kernel: kernel.repo-id) (
      filter isMissing (config.dependencies.of kernel.config output.backend).kernel-depends
    );
in
{
  /**
    Each obstacle is a reason, or null. A variant that cannot be built cannot be imported either, and has no tests.
    `cannotImport` holds for its build, and `cannotTest` for its tests and its shell for tests, which use the
    devices.

    Type: findObstacles :: Context -> Output -> { cannotBuild, cannotImport, cannotTest :: String | Null; }
  */
  findObstacles =
    context: output:
    let
      inherit (context) kernel packageSet system;
      inherit (output) plan;
      missingPackages = listMissingPackages context output;
      missingKernels = listMissingKernels context output;
      importObstacle = isUsed: packageSet.importObstacle { inherit plan isUsed; };
    in
    {
      cannotBuild =
        if output.problems != [ ] then
          messages.check.renderProblems output.problems
        # A variant without compiled code needs no Torch.
        else if
          output.compiled
          && kernel.config.framework.isOfTorch
          && !packageSet.hasTorch plan.torchBuild
        then
          "no wheel of Torch ${plan.torchBuild} is pinned for ${system}"
        else if packageSet.compileObstacle plan != null then
          packageSet.compileObstacle plan
        else if missingPackages != [ ] then
          "${concatStringsSep ", " missingPackages} is not in the package set, which has ${
            concatStringsSep ", " (attrNames output.set.dependencies)
          }; add it with `overlays`, see docs/guide/cuda.md"
        else
          null;

      cannotImport =
        if output.cannotBuild != null then
          output.cannotBuild
        else if missingKernels != [ ] then
          "it loads kernels that neither kernels.lock nor `localKernels` has (${concatStringsSep ", " missingKernels}); `nix run .#lock-kernels` locks them"
        else
          importObstacle false;

      cannotTest = if output.cannotBuild != null then output.cannotBuild else importObstacle true;
    };
}
