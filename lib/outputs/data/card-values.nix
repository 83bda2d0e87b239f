# What a card may say of its kernel: the names that a template can use, beside those that
# the Python files give (`functions`, `layers`).
{ values, backends, config, matrix, ... }:
let
  inherit (builtins)
    attrNames
    attrValues
    compareVersions
    concatMap
    filter
    listToAttrs
    sort
    ;
  inherit (values) attributes;
  inherit (values.lists) optionals;
  inherit (config) dependencies;
  inherit (matrix.variants) listVariantTargets;

  unique = list: attrNames (attributes.generate list (_: null));
  byVersion = sort (a: b: compareVersions a b < 0);
in
{
  /**
    `variants` are all of the kernel, `benchmarks` the files in its folder of that name.
    What is not stated is null or an empty list: a template asks `{% if license %}`.

    # Type

    ```
    makeCardValues :: { config :: Config; variants :: [Variant]; benchmarks :: [String]; } -> AttrSet
    ```
  */
  makeCardValues =
    {
      config,
      variants,
      benchmarks,
    }:
    let
      inherit (config) general;
      targetsOf =
        backend:
        byVersion (
          unique (
            concatMap listVariantTargets (
              filter (variant: variant.backend == backend.name) variants
            )
          )
        );
      # Those of every backend.
      ofAll =
        key: concatMap (backend: (dependencies.of config backend).${key}) general.backends;
    in
    {
      inherit (general)
        name
        version
        license
        upstream
        source
        backends
        ;
      inherit benchmarks;
      python_name = general.python-name;
      repo_id = general.hub.repo-id;
      branch =
        if general.hub.branch != null then
          general.hub.branch
        else if general.version != null then
          "v${toString general.version}"
        else
          null;
      variants = map (variant: variant.name) variants;
      # One that is compiled for no Torch is for all of them.
      torch_versions =
        optionals (!config.framework.isCompiled || config.framework.isOfTorch) (
          byVersion (unique (filter (torch: torch != null) (map (variant: variant.torch) variants)))
        );
      python_depends = unique (ofAll "python-depends");
      kernel_depends = unique (map (kernel: kernel.repo-id) (ofAll "kernel-depends"));
      has_benchmark = benchmarks != [ ];
    }
    // listToAttrs (
      map (backend: {
        name = backend.targets.cardName;
        value = targetsOf backend;
      }) (filter (backend: backend.targets != null) (attrValues backends.all))
    );
}
