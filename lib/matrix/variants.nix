# The variants of a kernel: what the matrix and build.toml give together.
#
# A variant is one build of one kernel: a Torch, a backend with its toolkit, and
# a system. Kernels without compiled code have one variant per backend, those on
# Torch's stable ABI, or on a framework that is not of Torch, one per toolkit.
{ values, messages, backends, platforms, config, matrix, ... }:
let
  inherit (builtins)
    all
    any
    attrNames
    attrValues
    concatLists
    concatMap
    elem
    filter
    isAttrs
    mapAttrs
    ;
  inherit (values) attributes lists paths versions;
  inherit (values.attributes) optionalAttrs;
  inherit (values.lists) optionals;
  inherit (messages.check) appendKey;
  inherit (platforms.targetLists) selectTargets;
  inherit (config) schema;
  inherit (matrix.bounds) isWithinBounds;
  inherit (matrix.names) nameCompute nameNoarchVariant nameVariant;
  inherit (matrix.origins) listHosts;
  inherit (matrix.ranking) selectWantedRow selectNewestRow;
  inherit (lists) unique;

  groupBy =
    keyOf: list:
    let
      keys = unique (map keyOf list);
    in
    map (key: filter (element: keyOf element == key) list) keys;

  # One row per system, in the order of the matrix.
  flatten =
    matrix:
    concatMap (
      build:
      map (
        system:
        let
          parts = {
            inherit system;
            inherit (build) torch backend toolkit;
            ptxas = build.ptxas or null;
          };
        in
        parts
        // {
          inherit (build) bundle;
          compute = nameCompute { inherit (build) backend toolkit; };
          hosts = listHosts parts;
        }
      ) build.systems
    ) matrix;

  componentsOf =
    config: backend:
    filter (name: config.components.${name}.backend == backend) (attrNames config.components);

  stableAbiOf =
    config: backend:
    let
      stated = if config.torch == null then null else config.torch.stable-abi;
    in
    if isAttrs stated then stated.${backend} or null else stated;

  # Whether a backend compiles any of these files once for each target.
  hasDeviceCode =
    backend: src:
    any (file: (backend.languages.${paths.ending file} or { }).takeApart or null != null) src;

  # The targets of each component in this row, with warnings about those that are left out.
  targetsOf =
    config: row: components:
    let
      backend = backends.all.${row.backend};
      inherit (backend.targets) key;
      select =
        at: asked:
        selectTargets {
          inherit (row) backend toolkit;
          inherit at asked;
        };
      ofComponents = attributes.generate components (
        name:
        select (appendKey (appendKey "kernel" name) key) config.components.${name}.${key}
      );
      # The framework's section has no list of its own. Beside components it takes theirs.
      ofBinding =
        optionalAttrs (components == [ ] && hasDeviceCode backend config.section.src) {
          ${config.framework.name} = select "${config.framework.name}.src" null;
        };
      selected = optionalAttrs (backend.targets != null) (ofComponents // ofBinding);
    in
    {
      targets = mapAttrs (_: result: result.targets) selected;
      warnings = concatMap (result: result.warnings) (attrValues selected);
      problems = concatMap (result: result.problems) (attrValues selected);
    };

  compiled =
    config: row:
    let
      stableAbi = stableAbiOf config row.backend;
      minverOf =
        name:
        if toolkit == null || toolkit.minverKey == null then
          null
        else
          config.components.${name}.${toolkit.minverKey};
      inherit (backends.all.${row.backend}) toolkit;
      components = filter (name: versions.atLeast (minverOf name) row.toolkit) (
        componentsOf config row.backend
      );
      selected = targetsOf config row components;
      warningsOf =
        name:
        map (warning: warning // { at = appendKey (appendKey "kernel" name) warning.at; }) (
          optionals (toolkit != null) (
            toolkit.warningsOf (versions.majorMinor row.toolkit) config.components.${name}
          )
        );
    in
    row
    // {
      inherit components stableAbi;
      inherit (selected) targets problems;
      warnings = selected.warnings ++ concatMap warningsOf components;
      name = nameVariant {
        inherit (row)
          torch
          backend
          toolkit
          system
          ;
        inherit stableAbi;
        framework = config.framework.name;
      };
      compiled = true;
    };

  # Nothing is compiled for them: they are what the author says that the kernel runs on.
  statedTargets =
    config: backend:
    let
      ours = backends.all.${backend}.targets;
      stated = if config.torch-noarch == null then null else config.torch-noarch.${ours.key};
    in
    optionalAttrs (ours != null && stated != null) { torch-noarch = ours.inOrder stated; };

  bare =
    config: row:
    row
    // {
      name = nameNoarchVariant { inherit (row) backend; };
      stableAbi = null;
      compiled = false;
      # It is not of that Torch: no other row has it.
      bundle = true;
      components = [ ];
      targets = statedTargets config row.backend;
      warnings = [ ];
      problems = [ ];
    };

  # Those rows whose Torch is there for all backends with a toolkit, of those in the matrix, if there are such.
  # What only a newer one refuses, such as the Triton of it, most users do not have yet.
  ofCommonTorch =
    matrix:
    let
      groups = groupBy (build: build.backend) (filter (build: build.toolkit != null) matrix);
      isCommon = row: all (any (other: other.torch == row.torch)) groups;
    in
    rows:
    let
      common = filter isCommon rows;
    in
    if common == [ ] then rows else common;

  variantsOfBackend =
    config: narrow: rows: backend:
    let
      stableAbi = stableAbiOf config backend;
      bySystem = groupBy (row: row.system) rows;
      byCompute = groupBy (row: "${row.compute}-${row.system}") (
        filter (row: versions.atLeast stableAbi row.torch) rows
      );
      inherit (config.framework) isOfTorch;
      isWithout = componentsOf config backend == [ ];
      isCompiled =
        config.framework.isCompiled && (!isWithout || config.framework.isCompiledAlone);
      # A variant whose components all want a newer toolkit has nothing to build.
      hasComponents = variant: isWithout || variant.components != [ ];
      # One for all Torch: where some row of it is part of bundles, so is the variant.
      shared = rows: selectWantedRow rows // { bundle = any (row: row.bundle) rows; };
    in
    if !isCompiled then
      # Its Torch only imports it: one that every machine can have will do.
      map (rows: bare config (selectWantedRow (narrow rows))) bySystem
    else if stableAbi != null then
      filter hasComponents (map (rows: compiled config (selectNewestRow rows)) byCompute)
    else if !isOfTorch then
      filter hasComponents (map (rows: compiled config (shared rows)) byCompute)
    else
      filter hasComponents (map (compiled config) rows);
in
{
  /**
    All that any component of a variant is compiled for, each once.

    # Type

    ```
    listVariantTargets :: Variant -> [String]
    ```
  */
  listVariantTargets = variant: unique (concatLists (attrValues variant.targets));

  /**
    Every variant of a kernel on all systems, in the order of the matrix
    within each backend.

    # Type

    ```
    listVariants :: { config :: Config; matrix :: [Row]; } -> [Variant]
    ```

    A variant is `{ name; system; backend; torch; toolkit; compute; stableAbi;
    ptxas; compiled; bundle; hosts; components; targets; warnings; problems; }`. `compiled` says whether
    it has compiled code: the plan, the build and messages go by it. `targets`
    maps each component to its targets, where its backend has such, the section of a framework to those of
    its own sources where no component has any, and `torch-noarch` to what is stated there;
    `bundle` says whether bundles have it. A variant with problems cannot be built.
  */
  listVariants =
    { config, matrix }:
    let
      rows = filter (isWithinBounds config) (flatten matrix);
      narrow = ofCommonTorch matrix;
    in
    concatMap (
      backend: variantsOfBackend config narrow (filter (row: row.backend == backend) rows) backend
    ) (filter (backend: elem backend config.general.backends) schema.backends);
}
