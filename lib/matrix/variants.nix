# The variant of a row: its name, its sections and their targets. A variant is a build of a kernel for one Torch, one
# backend with its toolkit, and one system.
{ values, messages, backends, platforms, config, matrix, ... }:
let
  inherit (builtins) any attrValues concatLists concatMap filter foldl' groupBy intersectAttrs isAttrs mapAttrs;
  inherit (values) paths versions;
  inherit (values.attributes) byPlace optionalAttrs;
  inherit (values.lists) optionals unique;
  inherit (messages.check) appendKey;
  inherit (platforms.systems) isDarwin;
  inherit (config.sections) selectSections;
  inherit (matrix.names) nameNoarchVariant nameVariant;

  problems = messages.catalogue.readCatalogue ./variants.json;

  # Whether a section has a source that a backend compiles once for each target.
  hasDeviceCode =
    backend: section:
    any (file: (backend.languages.${paths.ending file} or { }).takeApart or null != null) section.src;

  # The targets of sections for this row, with warnings about targets that are left out. Sections for all backends list
  # no targets: their device code has the targets of the others. Without others, it has the toolkit's default targets.
  selectSectionTargets =
    row: sections:
    let
      backend = backends.all.${row.backend};
      components = filter (section: section.backend == row.backend) sections;
      # Another compiler lacks some of the targets that the row would have, which is worth a warning.
      defaultOf = toolkit: backend.toolkit.releases.${versions.majorMinor toolkit}.default;
      selectAt =
        placeOf:
        byPlace (
          section:
          matrix.targets.selectTargets {
            inherit (row) backend toolkit;
            at = placeOf section.at;
            flags = optionals (hasDeviceCode backend section) section.flags.${backend.targets.flagsKey};
            flagsAt = appendKey section.at backend.targets.flagsKey;
            requested = if section.targets == null && row.named != row.toolkit then defaultOf row.named else section.targets;
          }
        );
      selected = optionalAttrs (backend.targets != null) (
        if components != [ ] then
          selectAt (at: appendKey at backend.targets.key) components
        else
          selectAt (at: "${at}.src") (filter (hasDeviceCode backend) sections)
      );
    in
    {
      targets = mapAttrs (_: result: result.targets) selected;
      warnings = concatMap (result: result.warnings) (attrValues selected);
      problems = concatMap (result: result.problems) (attrValues selected);
    };

  # Warnings about flags of a section that the compilers of a system do not have.
  warnOfFlags =
    row: section:
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
      map (
        flag:
        problems.absent-flag {
          at = appendKey section.at key;
          inherit flag;
          inherit (row) system;
          meaning = absent.${flag};
        }
      ) (filter (flag: absent ? ${flag}) section.flags.${key})
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
      name = nameNoarchVariant row.backend;
      stableAbi = null;
      compiled = false;
      # The variant serves every Torch, so bundles have it whether or not they have this row's Torch.
      bundle = true;
      sections = [ ];
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
      sections = filter (section: versions.atLeast section.minver row.toolkit) (
        selectSections config row.backend
      );
      selected = selectSectionTargets row sections;
      # With the existing tool, sources for all backends see the headers of all `depends`.
      depends = unique (concatMap (section: section.depends) sections);
      warningsOf =
        section:
        optionals (toolkit != null) (
          map (warning: warning // { at = appendKey section.at warning.at; }) (
            toolkit.warningsOf (versions.majorMinor row.toolkit) section
          )
        );
    in
    row
    // {
      inherit (selected) targets problems;
      name = self.nameRowVariant config row;
      stableAbi = self.findStableAbi config row.backend;
      compiled = true;
      sections = map (
        section: if section.backend == row.backend then section else section // { inherit depends; }
      ) sections;
      warnings =
        selected.warnings
        ++ concatMap (section: warnOfFlags row section ++ warningsOf section) sections;
    };

  self = {
    /**
      Whether a kernel's variants for a backend have compiled code.

      Type: hasCompiledCode :: Config -> String -> Bool
    */
    hasCompiledCode = config: backend: selectSections config backend != [ ];

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
      { torch, backend, compute, system, ... }:
      if self.hasCompiledCode config backend then
        nameVariant {
          inherit torch compute system;
          stableAbi = self.findStableAbi config backend;
          framework = config.framework.name;
        }
      else
        nameNoarchVariant backend;

    /**
      The variant of a row, without the sections that need a newer toolkit. A variant with `problems` cannot be
      built. docs/data.md describes its fields.

      Type: makeVariant :: Config -> Row -> Variant
    */
    makeVariant =
      config: row:
      (if self.hasCompiledCode config row.backend then makeCompiledVariant else makeNoarchVariant) config row;

    /**
      The targets of all sections of a variant, each once.

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
