# Writes docs/reference/build-toml.md from lib/config/schema, lib/config/dependencies.json and an example.
{ library }:
let
  inherit (builtins)
    attrNames
    concatStringsSep
    elemAt
    filter
    map
    readFile
    toJSON
    ;
  inherit (library) backends;
  inherit (library.tables) types;
  inherit (library.config) schema;

  table = import ./table.nix;

  code = text: "`${text}`";
  codes = texts: concatStringsSep ", " (map code texts);

  # Sections of backends without keys of their own are described together.
  isPlain = backend: backends.all.${backend}.generalKeys == { };
  sectionOfBackend = backend: "general.${backend}";
  plain = map sectionOfBackend (filter isPlain schema.backends);
  own = map sectionOfBackend (filter (backend: !isPlain backend) schema.backends);
  anyBackend = elemAt plain 0;

  order = [
    "general"
    "general.hub"
    anyBackend
  ]
  ++ own
  ++ [
    "torch"
    "torch-noarch"
    "tvm-ffi"
    "kernel.NAME"
  ];

  # Sections that this list lacks come last, so that none is missing.
  sections = order ++ filter (name: !builtins.elem name (order ++ plain)) (attrNames schema.sections);

  defaultOf =
    key:
    if key.required then
      "required"
    else if key.default == null then
      ""
    else
      code (toJSON key.default);

  formOf =
    key:
    if key.allowed != null then
      "${types.${key.type}.want}: ${codes key.allowed}"
    else if key.form != null && key.type == "strings" then
      "a list, each ${key.form}"
    else if key.form != null then
      key.form
    else
      types.${key.type}.want;

  rowOf =
    section: name:
    let
      key = section.keys.${name};
      only = if key.backends == null then "" else " (${concatStringsSep ", " key.backends} only)";
    in
    [
      (code name)
      (formOf key)
      (defaultOf key)
      "${key.meaning}${only}"
      (toString key.since)
    ];

  sectionOf =
    name:
    let
      section = schema.sections.${name};
      meaning =
        if name == anyBackend then
          "What holds for the variants of one backend only: ${codes schema.backends}."
        else
          section.meaning;
      keys = attrNames section.keys;
    in
    ''
      ## [${if name == anyBackend then "general.BACKEND" else name}]

      ${meaning}
    ''
    + (
      if keys == [ ] then
        ""
      else
        ''

          ${table {
            head = [
              "key"
              "value"
              "default"
              "meaning"
              "since edition"
            ];
            rows = map (rowOf section) keys;
          }}
        ''
    );

  backendsOf = entry: if entry.backends == null then "all" else concatStringsSep ", " entry.backends;

  dependencies =
    let
      inherit (library.config.dependencies.table) depends;
    in
    table {
      head = [
        "name"
        "what"
        "version"
        "backends"
      ];
      rows = map (name: [
        (code name)
        depends.${name}.meaning
        (toString depends.${name}.version)
        (backendsOf depends.${name})
      ]) (attrNames depends);
    };

  pythonDependencies =
    let
      inherit (library.config.dependencies.table) python-depends;
    in
    table {
      head = [
        "name"
        "Python project"
        "imported as"
        "backends"
      ];
      rows = map (name: [
        (code name)
        python-depends.${name}.project
        (toString python-depends.${name}.import)
        (backendsOf python-depends.${name})
      ]) (attrNames python-depends);
    };
in
''
  # build.toml

  <!-- Written by `tests/run docs --renew` from lib/config/schema; edit that instead. -->

  This page lists the keys of build.toml, which describes a kernel. Check a file:

  ```sh
  kernel-builder check-config
  ```

  Unknown keys are mistakes, and all mistakes of a file are reported at once, each
  with its place, what was found, what is wanted, and what to do.

  ```toml
  ${readFile ../../examples/relu/build.toml}```

  Paths are relative to the folder of build.toml. Nothing may lie outside it, and nothing may be reached through a
  symbolic link, because Nix cannot tell where a link leads. In a kernel under git, only files that git knows are seen:
  `git add -N FILE` is enough. A compile is given the headers that its source includes, found beside it and in the folders of
  `include`; a flag such as `-Ifolder` finds none, and is a warning.

  A kernel has exactly one of [torch], [torch-noarch] and [tvm-ffi], and a section [kernel.NAME] for every component.
  The sources of [torch] or [tvm-ffi] are part of every variant that has compiled code. A backend of
  `general.backends` without a component is a warning (with [tvm-ffi], only if another backend has one). With [torch],
  its variant is `torch-<backend>`: Python code alone, and nothing of [torch] is compiled for it. With [tvm-ffi], the
  sources of that section are compiled; those with device code for the toolkit's default targets. A source that
  several sections of a backend list is compiled once, for the targets and with the flags of all of them; where the
  flags differ, that is a warning. A component with headers only is a warning.

''
+ concatStringsSep "\n" (map sectionOf sections)
+ ''

  ## Names for `depends`

  ${dependencies}

  ## Names for `python-depends`

  ${pythonDependencies}

  ## Older editions

  Files of the editions 1 to ${toString (schema.edition - 1)} are read where their meaning is plain, with a warning for
  everything that the newest edition writes in another way. `kernel-builder update-build` rewrites them, with
  order and comments kept; `--check` only asks. What cannot be carried over is told key by key. A file without `edition`
  is read as edition ${toString schema.edition}, and as an older one where it has the keys of one.

  ## Editors

  `kernel-builder schema` prints a JSON Schema of this page, which is also [here](build-toml.schema.json). Editors that
  know Taplo's comments check a file, and complete its keys, where it begins with `#:schema PATH`.
''
