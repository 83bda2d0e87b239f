# Checks the keys and types of a build.toml against schema/, and fills in defaults.
{ values, messages, tables, frameworks, config, ... }:
let
  inherit (builtins) attrNames concatMap elem filter head isAttrs isString lessThan mapAttrs match;
  inherit (builtins) replaceStrings sort;
  inherit (values.attributes) generate setOrEmpty;
  inherit (values.lists) optionals;
  inherit (messages.catalogue) readCatalogue;
  inherit (messages.check) appendKey checkKeys checkPattern listMissingKeys;
  inherit (tables.reader) checkSection fillSection;
  inherit (config) schema;
  inherit (schema) sections;

  problems = readCatalogue ./shape.json;

  generalParts = [ "hub" ] ++ schema.backends;
  topLevel = sort lessThan (
    [ "general" "kernel" ]
    ++ schema.frameworks
  );

  frameworksIn = toml: filter (name: toml ? ${name}) schema.frameworks;

  # `keys` is the section's name in the schema.
  sectionProblems =
    { at, keys ? at, parts ? [ ] }:
    checkSection {
      inherit at parts;
      section = sections.${keys};
      wanted = "a table";
      begin = "begin it with a line [${at}]";
      place = "[${at}]";
    };

  # Keys that only components of other backends have.
  foreignKeyProblems =
    at: component:
    let
      inherit (sections."kernel.NAME") keys;
      isForeign =
        name:
        keys.${name}.backends or null != null
        && elem (component.backend or null) schema.backends
        && !elem component.backend keys.${name}.backends;
    in
    map (
      name:
      problems.foreign-key {
        at = appendKey at name;
        owners = toString keys.${name}.backends;
        inherit (component) backend;
        component = at;
      }
    ) (filter isForeign (attrNames component));

  componentProblems =
    name: component:
    let
      at = appendKey "kernel" name;
    in
    checkPattern {
      inherit at;
      pattern = "[A-Za-z0-9_][A-Za-z0-9_.-]*";
      want = "letters, digits, `_`, `-` and `.` in the name of a component, neither `-` nor `.` first";
      fix = "rename the section";
    } name
    ++ sectionProblems { inherit at; keys = "kernel.NAME"; } component
    ++ optionals (isAttrs component) (foreignKeyProblems at component);

  # The name of the kernel's Python package, or null if the kernel's name is wrong.
  namePackage =
    name:
    if isString name && match sections.general.keys.name.pattern name != null then
      replaceStrings [ "-" ] [ "_" ] name
    else
      null;

  self = {
    /**
      Problems of the keys and types of a build.toml.

      Type: checkShape :: AttrSet -> [Problem]
    */
    checkShape =
      toml:
      let
        presentParts = filter (part: toml ? general.${part}) generalParts;
        components = toml.kernel or { };
      in
      checkKeys { at = ""; known = topLevel; } toml
      ++ (
        if !toml ? general then
          map (_: problems.no-general { }) (listMissingKeys { known = topLevel; required = [ "general" ]; } toml)
        else
          sectionProblems { at = "general"; parts = generalParts; } toml.general
          ++ concatMap (part: sectionProblems { at = "general.${part}"; } toml.general.${part}) presentParts
      )
      ++ concatMap (name: sectionProblems { at = name; } toml.${name}) (frameworksIn toml)
      ++ (
        if isAttrs components then
          concatMap (name: componentProblems name components.${name}) (attrNames components)
        else
          sectionProblems { at = "kernel.NAME"; } components
      );

    /**
      A build.toml with the default of every key that is absent or has a wrong type. Absent framework sections are null.
      `framework` is the Framework of the first section that is present, `section` that section, and
      `general.python-name` the name of the Python package.

      Type: fillConfig :: AttrSet -> AttrSet
    */
    fillConfig =
      toml:
      let
        present = frameworksIn toml;
        filled = generate schema.frameworks (
          name: if toml ? ${name} then fillSection sections.${name} toml.${name} else null
        );
      in
      filled
      // {
        framework = if present == [ ] then null else frameworks.all.${head present};
        section = if present == [ ] then null else filled.${head present};
        general =
          fillSection sections.general (toml.general or { })
          // { python-name = namePackage (toml.general.name or null); }
          // generate generalParts (
            part: fillSection sections."general.${part}" (toml.general.${part} or { })
          );
        components = mapAttrs (_: fillSection sections."kernel.NAME") (setOrEmpty (toml.kernel or { }));
      };
  };
in
self
