# The imports of variants without compiled code with other releases of Torch and Triton than the build has.
{ values, matrix, ... }:
let
  inherit (builtins) concatMap filter;
  inherit (values.attributes) byName;
  inherit (values.lists) optionals;
  inherit (matrix.origins) hasTorchInRegistries;

  listRegistryRows =
    variant:
    filter (
      row:
      row.backend == variant.backend && row.system == variant.system && !row ? pre && hasTorchInRegistries row
    ) matrix.torchBuilds.knownRows;
in
{
  /**
    The rows of the matrix for a variant's backend and system whose Torch is released and in package registries.

    Type: listRegistryRows :: Variant -> [Row]
  */
  inherit listRegistryRows;

  /**
    The checks by variant. Such a variant is published for every Torch, so it is tried with the oldest and the newest
    that the matrix has and registries carry, whatever the kernel's own `torchVersions` are. `outputsOf` makes the
    Outputs of another kernel.

    Type: makeVersionChecks :: Context -> [Output] -> (Kernel -> [Output]) -> { ${name} :: Derivation; }
  */
  makeVersionChecks =
    { kernel, packageSet, ... }:
    variants: outputsOf:
    let
      isImported = variant: variant.cannotImport == null;

      # The variant as other builds of Torch have it, if they can be imported.
      othersOf =
        variant:
        let
          isOther = other: other.name == variant.name && isImported other;
          candidates = concatMap (
            row: filter isOther (outputsOf (kernel.builtWith row))
          ) (listRegistryRows variant);
        in
        filter (other: other.torch != variant.torch) (matrix.ranking.selectOutermostRows candidates);
      tried = map (variant: {
        inherit (variant) name;
        trials = concatMap (other: other.build.trials) (
          optionals (!variant.compiled && isImported variant) (othersOf variant)
        );
      }) variants;
    in
    byName (
      { name, trials }:
      packageSet.versionCheck {
        kernel = kernel.config.general.name;
        variant = name;
        inherit trials;
      }
    ) (filter ({ trials, ... }: trials != [ ]) tried);
}
