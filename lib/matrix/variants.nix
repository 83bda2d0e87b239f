# The variant of a row: its name, its components and their targets. A variant is a build of a kernel for one Torch, one
# backend with its toolkit, and one system.
{ values, messages, backends, platforms, matrix, ... }:
let
  inherit (builtins)
    any
    attrNames
    attrValues
    concatLists
    concatMap
    filter
    foldl'
    groupBy
    intersectAttrs
    isAttrs
    mapAttrs
    toJSON
    ;
  inherit (values) attributes paths versions;
  inherit (values.attributes) optionalAttrs;
  inherit (values.lists) optionals unique;
  inherit (messages.check) appendKey;
  inherit (platforms.systems) isDarwin;
  inherit (matrix.targets) selectTargets;
  inherit (matrix.names) nameNoarchVariant nameVariant;

  # Whether a backend compiles any of these files once for each target.
  hasDeviceCode =
    backend: src:
    any (file: (backend.languages.${paths.ending file} or { }).takeApart or null != null) src;

  # The targets of each component for this row, with warnings about targets that are left out.
  targetsOf =
    config: row: components:
    let
      backend = backends.all.${row.backend};
      inherit (backend.targets) key;
      select =
        at: requested:
        selectTargets {
          inherit (row) backend toolkit;
          inherit at requested;
        };
      ofComponents = attributes.generate components (
        name: select (appendKey (appendKey "kernel" name) key) config.components.${name}.${key}
      );
      # The framework's section cannot list targets. Its device code has the targets of the components. Without
      # components, it has the toolkit's default targets.
      ofBinding = optionalAttrs (components == [ ] && hasDeviceCode backend config.section.src) {
        ${config.framework.name} = select "${config.framework.name}.src" null;
      };
      selected = optionalAttrs (backend.targets != null) (ofComponents // ofBinding);
    in
    {
      targets = mapAttrs (_: result: result.targets) selected;
      warnings = concatMap (result: result.warnings) (attrValues selected);
      problems = concatMap (result: result.problems) (attrValues selected);
    };

  # Warnings about flags of a section that the compilers of a system do not have.
  warnOfFlags =
    row: at: section:
    let
      base = backends.all.${row.backend};
      inherit (base // optionalAttrs (isDarwin row.system) base.onDarwin) languages;
      used = attrValues (intersectAttrs (groupBy paths.ending section.src) languages);
      keys = unique (concatMap (language: language.flagsKeys) used);
      # The languages of a backend on one system have compilers of one vendor.
      absent = foldl' (all: language: all // language.absentFlags) { } used;
    in
    concatMap (
      key:
      map (flag: {
        at = appendKey at key;
        found = "${toJSON flag}, left out: the compiler for ${row.system} does not have it";
        want = "flags of the compilers of all systems";
        fix = "nothing, if the code is right without it: ${absent.${flag}}";
      }) (filter (flag: absent ? ${flag}) section.${key} or [ ])
    ) keys;

  makeNoarchVariant =
    config: row:
    let
      inherit (backends.all.${row.backend}) targets;
      # The targets that the author states go into the metadata.
      requested = if config.torch-noarch == null then null else config.torch-noarch.${targets.key};
    in
    row
    // {
      name = nameNoarchVariant { inherit (row) backend; };
      stableAbi = null;
      compiled = false;
      # The variant serves every Torch, so bundles have it whether or not they have this row's Torch.
      bundle = true;
      components = [ ];
      targets = optionalAttrs (targets != null && requested != null) {
        torch-noarch = targets.inOrder requested;
      };
      warnings = [ ];
      problems = [ ];
    };

  makeCompiledVariant =
    config: row:
    let
      inherit (backends.all.${row.backend}) toolkit;
      stableAbi = self.findStableAbi config row.backend;
      minverOf =
        name:
        if toolkit == null || toolkit.minverKey == null then
          null
        else
          config.components.${name}.${toolkit.minverKey};
      components = filter (name: versions.atLeast (minverOf name) row.toolkit) (
        self.listComponents config row.backend
      );
      selected = targetsOf config row components;
      warningsOf =
        name:
        optionals (toolkit != null) (
          map (warning: warning // { at = appendKey (appendKey "kernel" name) warning.at; }) (
            toolkit.warningsOf (versions.majorMinor row.toolkit) config.components.${name}
          )
        );
    in
    row
    // {
      inherit components stableAbi;
      inherit (selected) targets problems;
      warnings =
        selected.warnings
        ++ warnOfFlags row config.framework.name config.section
        ++ concatMap (
          name: warnOfFlags row (appendKey "kernel" name) config.components.${name} ++ warningsOf name
        ) components;
      name = self.nameRowVariant config row;
      compiled = true;
    };
  self = {
    /**
      The components of a backend.

      Type: listComponents :: Config -> String -> [String]
    */
    listComponents =
      config: backend:
      filter (name: config.components.${name}.backend == backend) (attrNames config.components);

    /**
      Whether a kernel's variants for a backend have compiled code.

      Type: hasCompiledCode :: Config -> String -> Bool
    */
    hasCompiledCode =
      config: backend:
      config.framework.isCompiled
      && (self.listComponents config backend != [ ] || config.framework.isCompiledAlone);

    /**
      The version of Torch's stable ABI that a backend is built for, or null.

      Type: findStableAbi :: Config -> String -> String | Null
    */
    findStableAbi =
      config: backend:
      let
        stableAbi = if config.torch == null then null else config.torch.stable-abi;
      in
      if isAttrs stableAbi then stableAbi.${backend} or null else stableAbi;

    /**
      The name of the variant that a kernel has for a row, if it has one. Several rows may have the same variant.

      Type: nameRowVariant :: Config -> Row -> String
    */
    nameRowVariant =
      config:
      {
        torch,
        backend,
        toolkit,
        system,
        ...
      }:
      if self.hasCompiledCode config backend then
        nameVariant {
          inherit
            torch
            backend
            toolkit
            system
            ;
          stableAbi = self.findStableAbi config backend;
          framework = config.framework.name;
        }
      else
        nameNoarchVariant { inherit backend; };

    /**
      The variant of a row, without the components that need a newer toolkit. A variant with `problems` cannot be
      built. docs/data.md describes its fields.

      Type: makeVariant :: Config -> Row -> Variant
    */
    makeVariant =
      config: row:
      (if self.hasCompiledCode config row.backend then makeCompiledVariant else makeNoarchVariant) config row;

    /**
      The targets of all components of a variant, each once.

      Type: listVariantTargets :: Variant -> [String]
    */
    listVariantTargets = variant: unique (concatLists (attrValues variant.targets));

    /**
      The names of variants, each once: a variant without compiled code is in a kernel's list once for each system.

      Type: nameVariants :: [Variant] -> [String]
    */
    nameVariants = variants: unique (map (variant: variant.name) variants);
  };
in
self
