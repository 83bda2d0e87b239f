# The variants of a kernel, from the matrix and its build.toml.
#
# A variant is a build of a kernel for one Torch, one backend with its toolkit, and one system. Kernels
# without compiled code have one variant for each backend. Kernels on Torch's stable ABI, or on a framework
# that does not use Torch, have one for each toolkit.
{ values, backends, config, matrix, ... }:
let
  inherit (builtins)
    attrValues
    concatLists
    concatMap
    elem
    filter
    ;
  inherit (values.attributes) optionalAttrs;
  inherit (values.lists) groupInOrder unique;
  inherit (config) schema;
  inherit (matrix.bounds) isWithinBounds;
  inherit (matrix.compiledVariant) findStableAbi hasCompiledCode makeCompiledVariant;
  inherit (matrix.names) nameNoarchVariant;
  inherit (matrix.ranking) selectNewestRow selectWantedRow;
  inherit (matrix.systemRows) listSystemRows selectCommonRows;

  # The targets that the author states for a kernel without compiled code; they go into its metadata.
  statedTargets =
    config: backend:
    let
      inherit (backends.all.${backend}) targets;
      stated = if config.torch-noarch == null then null else config.torch-noarch.${targets.key};
    in
    optionalAttrs (targets != null && stated != null) { torch-noarch = targets.inOrder stated; };

  makeNoarchVariant =
    config: row:
    row
    // {
      name = nameNoarchVariant { inherit (row) backend; };
      stableAbi = null;
      compiled = false;
      # The variant serves every Torch, so bundles have it whether or not they have this row's Torch.
      bundle = true;
      components = [ ];
      targets = statedTargets config row.backend;
      warnings = [ ];
      problems = [ ];
    };

  variantsOfBackend =
    { config, selectCommon }:
    rows: backend:
    let
      stableAbi = findStableAbi config backend;
      bySystem = groupInOrder (row: row.system) rows;
      byToolkit = groupInOrder (row: "${row.compute}-${row.system}") rows;
      makeVariants = map (makeCompiledVariant config);
      # One variant serves the Torch of all these rows. It is compiled with one that bundles have, if there is any.
      selectFrom =
        select: rows:
        let
          bundled = filter (row: row.bundle) rows;
        in
        select (if bundled == [ ] then rows else bundled);
    in
    if !hasCompiledCode config backend then
      # The build only imports Torch, so it prefers a Torch from package registries.
      map (rows: makeNoarchVariant config (selectWantedRow (selectCommon rows))) bySystem
    else if stableAbi != null then
      makeVariants (map (selectFrom selectNewestRow) byToolkit)
    else if !config.framework.isOfTorch then
      makeVariants (map (selectFrom selectWantedRow) byToolkit)
    else
      makeVariants rows;
in
{
  /**
    The targets of all components of a variant, each once.

    Type: listVariantTargets :: Variant -> [String]
  */
  listVariantTargets = variant: unique (concatLists (attrValues variant.targets));

  /**
    All variants of a kernel on all systems, by backend, in the order of the matrix. docs/data.md
    describes the fields of a Variant. A variant with `problems` cannot be built.

    Type: listVariants :: { config :: Config; matrix :: [Row]; } -> [Variant]
  */
  listVariants =
    { config, matrix }:
    let
      rows = filter (isWithinBounds config) (listSystemRows matrix);
      listOfBackend = variantsOfBackend {
        inherit config;
        selectCommon = selectCommonRows { inherit matrix; };
      };
    in
    concatMap (backend: listOfBackend (filter (row: row.backend == backend) rows) backend) (
      filter (backend: elem backend config.general.backends) schema.backends
    );
}
