# The imports of variants without compiled code with other releases of Torch and Triton than the build has.
{ values, matrix, ... }:
let
  inherit (builtins) any concatMap filter;
  inherit (values.attributes) byName;
  inherit (values.lists) optionals;
  inherit (matrix.origins) hasTorchInRegistries;
  inherit (matrix.ranking) selectOutermostRows;
  inherit (matrix.torchBuilds) knownRows;

  listRegistryRows =
    variant:
    filter (
      row: row.backend == variant.backend && row.system == variant.system && hasTorchInRegistries row
    ) knownRows;
in
{
  /**
    The rows of the matrix for a variant's backend and system whose Torch package registries have.

    Type: listRegistryRows :: Variant -> [Row]
  */
  inherit listRegistryRows;

  /**
    The checks by variant. Such a variant is published for every Torch, so it is tried with the oldest and the newest
    that the matrix has and registries carry, whatever the kernel's own `torchVersions` are. `remake` makes the outputs
    of another kernel.

    Type: makeVersionChecks :: AttrSet -> (Kernel -> AttrSet) -> { ${name} :: Derivation; }
  */
  makeVersionChecks =
    here: remake:
    let
      inherit (here) available kernel packageSet;
      isImportable = variant: available.isBuildable variant && available.importObstacle variant == null;

      # The variant as other builds of Torch have it, if they can be imported.
      othersOf =
        variant:
        let
          candidates = concatMap (
            row:
            let
              other = kernel.builtWith row;
            in
            optionals (any isImportable (filter (each: each.name == variant.name) other.variants)) [
              { inherit (row) backend hosts torch toolkit; inherit other; }
            ]
          ) (listRegistryRows variant);
        in
        map ({ other, ... }: other) (
          filter (each: each.torch != variant.torch) (selectOutermostRows candidates)
        );
      trialsOf =
        variant:
        concatMap (other: (remake other).redistributable.${variant.name}.trials) (
          optionals (!variant.compiled && isImportable variant) (othersOf variant)
        );
      tried = map (variant: { inherit (variant) name; trials = trialsOf variant; }) here.local;
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
