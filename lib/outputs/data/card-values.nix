# The values that the template CARD.md can use. `functions` and `layers` are not here: the build of the
# card reads them from the Python files.
{ values, messages, backends, config, matrix, ... }:
let
  inherit (builtins) concatMap filter;
  inherit (values) lists versions;
  inherit (values.lists) optionals;
  inherit (messages.spelling) lower;
  inherit (config) dependencies;
  inherit (matrix.variants) listVariantTargets;

  sortUnique = list: versions.ascending (lists.unique list);
  sortNames = names: builtins.sort builtins.lessThan (lists.unique names);
in
{
  /**
    The values for a kernel's card. `variants` are all variants of the kernel, and `benchmarks` are the
    files in its folder `benchmarks`. A value that build.toml does not state is null or an empty list, so
    that a template can write `{% if license %}`.

    Type: makeCard :: { config :: Config; variants :: [Variant]; benchmarks :: [String]; } -> AttrSet
  */
  makeCard =
    { config, variants, benchmarks }:
    let
      inherit (config) general;
      targetsOf =
        backend:
        sortUnique (
          concatMap listVariantTargets (filter (variant: variant.backend == backend.name) variants)
        );
      dependenciesOfAll =
        key: concatMap (backend: (dependencies.of config backend).${key}) general.backends;
    in
    {
      inherit (general) name version upstream source backends;
      # The Hub's names of licenses have no capitals.
      license = if general.license == null then null else lower general.license;
      inherit benchmarks;
      python_name = general.python-name;
      repo_id = general.hub.repo-id;
      branch =
        if general.hub.branch != null then
          general.hub.branch
        else
          "v${toString general.version}";
      variants = map (variant: variant.name) variants;
      # Compiled code that does not use Torch works with every version of it.
      torch_versions =
        optionals (!config.framework.isCompiled || config.framework.isOfTorch) (
          sortUnique (map (variant: variant.torch) variants)
        );
      python_depends = sortNames (dependenciesOfAll "python-depends");
      kernel_depends = sortNames (map (kernel: kernel.repo-id) (dependenciesOfAll "kernel-depends"));
      has_benchmark = benchmarks != [ ];
    }
    // builtins.listToAttrs (
      map (backend: {
        name = backend.targets.cardName;
        value = targetsOf backend;
      }) (filter (backend: backend.targets != null) (builtins.attrValues backends.all))
    );
}
