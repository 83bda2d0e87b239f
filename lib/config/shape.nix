# The form of build.toml against the table in schema/: keys, types, defaults.
#
# `fill` never fails: a value of the wrong type counts as absent there. So the
# checks that come after can run on any file, and a reader learns all mistakes
# at once.
{
  check,
  schema,
  types,
  ...
}:
let
  inherit (builtins)
    attrNames
    concatMap
    elem
    filter
    isAttrs
    isList
    listToAttrs
    mapAttrs
    sort
    ;

  inherit (schema) sections;

  generalParts = [ "hub" ] ++ schema.backends;
  topLevel = sort (a: b: a < b) (
    [
      "general"
      "kernel"
    ]
    ++ schema.frameworks
  );

  notATable = at: value: [
    {
      inherit at;
      found = check.show value;
      want = "a table";
      fix = "begin it with a line [${at}]";
    }
  ];

  valueProblems =
    at: key: value:
    let
      ofType = types.${key.type}.problems { inherit at; } value;
      ofElement =
        at: element:
        (if key.allowed == null then [ ] else check.oneOf { inherit (key) allowed; inherit at; } element)
        ++ (
          if key.pattern == null then
            [ ]
          else
            check.matches {
              inherit at;
              inherit (key) pattern;
              want = key.form;
              fix = "correct the spelling";
            } element
        );
    in
    if ofType != [ ] then
      ofType
    else if isList value then
      check.each { inherit at; } ofElement value
    else
      ofElement at value;

  sectionProblems =
    {
      at,
      section,
      parts ? [ ],
    }:
    value:
    let
      names = attrNames section.keys;
      missing = filter (name: section.keys.${name}.required && !value ? ${name}) names;
    in
    if !isAttrs value then
      notATable at value
    else
      check.noUnknown {
        inherit at;
        known = sort (a: b: a < b) (names ++ parts);
      } value
      ++ map (name: {
        at = check.under at name;
        found = "nothing";
        want = types.${section.keys.${name}.type}.want;
        fix = "add ${name} to [${at}]";
      }) missing
      ++ concatMap (name: valueProblems (check.under at name) section.keys.${name} value.${name}) (
        filter (name: value ? ${name}) names
      );

  # Keys that exist, but for another backend than the component's.
  strayProblems =
    at: component:
    let
      inherit (sections."kernel.NAME") keys;
      isStray =
        name:
        keys ? ${name}
        && keys.${name}.backends != null
        && elem (component.backend or null) schema.backends
        && !elem component.backend keys.${name}.backends;
    in
    map (name: {
      at = check.under at name;
      found = "a key of the ${toString keys.${name}.backends} backend";
      want = "keys of the ${component.backend} backend, which ${at}.backend names";
      fix = "delete the key, or correct ${at}.backend";
    }) (filter isStray (attrNames component));

  componentProblems =
    name: component:
    let
      at = check.under "kernel" name;
    in
    check.matches {
      inherit at;
      pattern = "[A-Za-z0-9][A-Za-z0-9_.-]*";
      want = "letters, digits, `_`, `-` and `.` in the name of a component";
      fix = "rename the section";
    } name
    ++ sectionProblems {
      inherit at;
      section = sections."kernel.NAME";
    } component
    ++ (if isAttrs component then strayProblems at component else [ ]);

  table = value: if isAttrs value then value else { };

  fillSection =
    section: value:
    mapAttrs (
      name: key:
      if value ? ${name} && types.${key.type}.isValid value.${name} then
        value.${name}
      else if key.required && key.type == "strings" then
        [ ]
      else
        key.default
    ) section.keys;

  fillComponent =
    component:
    let
      filled = fillSection sections."kernel.NAME" component;
      inherit (sections."kernel.NAME") keys;
      belongs = name: keys.${name}.backends == null || elem filled.backend keys.${name}.backends;
    in
    listToAttrs (
      map (name: {
        inherit name;
        value = filled.${name};
      }) (filter belongs (attrNames filled))
    );

  self = {
    /**
      What is wrong with the keys and the types of a build.toml.

      # Type

      ```
      problems :: AttrSet -> [Problem]
      ```
    */
    problems =
      toml:
      check.noUnknown {
        at = "";
        known = topLevel;
      } toml
      ++ (
        if !toml ? general then
          [
            {
              at = "general";
              found = "nothing";
              want = "a section [general] with name and backends";
              fix = "add it";
            }
          ]
        else
          sectionProblems {
            at = "general";
            section = sections.general;
            parts = generalParts;
          } toml.general
          ++ concatMap (
            part:
            sectionProblems {
              at = "general.${part}";
              section = sections."general.${part}";
            } toml.general.${part}
          ) (filter (part: (table toml.general) ? ${part}) generalParts)
      )
      ++ concatMap (
        name:
        sectionProblems {
          at = name;
          section = sections.${name};
        } toml.${name}
      ) (filter (name: toml ? ${name} && name != "tvm-ffi") schema.frameworks)
      ++ (
        if !toml ? kernel then
          [ ]
        else if !isAttrs toml.kernel then
          notATable "kernel.NAME" toml.kernel
        else
          concatMap (name: componentProblems name toml.kernel.${name}) (attrNames toml.kernel)
      );

    /**
      A build.toml with a default for every key that is absent or of a wrong
      type. Framework sections that are absent are null.

      # Type

      ```
      fill :: AttrSet -> AttrSet
      ```
    */
    fill =
      toml:
      let
        general = table (toml.general or { });
      in
      {
        general =
          fillSection sections.general general
          // listToAttrs (
            map (part: {
              name = part;
              value = fillSection sections."general.${part}" (table (general.${part} or { }));
            }) generalParts
          );
        components = mapAttrs (_: component: fillComponent (table component)) (table (toml.kernel or { }));
      }
      // listToAttrs (
        map (name: {
          inherit name;
          value = if toml ? ${name} then fillSection sections.${name} (table toml.${name}) else null;
        }) schema.frameworks
      );
  };
in
self
