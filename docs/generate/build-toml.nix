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
          "Keys for the variants of one backend: ${codes schema.backends}."
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
        "package"
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

  The command reports all mistakes of a file at once, unknown keys included. Each mistake has its place, the value that was found, the value that is
  wanted, and a fix.

  ```toml
  ${readFile ../../examples/relu/build.toml}```

  - Paths are relative to the folder of build.toml. They stay inside it and lead through no symbolic link, since Nix cannot tell where a link leads.
  - In a kernel under git, Nix sees only files that git knows. For a new file, `git add -N FILE` is enough.
  - A compile gets the headers that its source includes. The builder finds them beside the including file and in the folders of `include`.
    A flag such as `-Ifolder` finds no header, and is a warning.
  - `src` may also list headers, and files of any other ending. They are not compiled, and a file that is no header by its ending, such as `Core`,
    `table.def` or `data.bin`, is given to each compile of the section.

  A kernel has exactly one of [torch], [torch-noarch] and [tvm-ffi], and a section [kernel.NAME] for every component.

  - Every variant with compiled code contains the sources of [torch] or [tvm-ffi].
  - A source in several sections of a backend is compiled once, for the targets and with the flags of all of them. Different flags are a warning.
  - A component with headers only is a warning.
  - With [torch], a backend without a component is a warning. Its variant is `torch-<backend>` and has only Python code.
  - With [tvm-ffi], a backend without a component is a warning only if another backend has one. Its variant has the sources of [tvm-ffi], with
    device code for the toolkit's default targets.

''
+ concatStringsSep "\n" (map sectionOf sections)
+ ''

  ## Names for `depends`

  ${dependencies}

  ## Names for `python-depends`

  ${pythonDependencies}

  ## Older editions

  kernel-builder also reads editions 1 to ${toString (schema.edition - 1)} where their meaning is clear. It warns about each part that the newest edition writes in another
  way. To rewrite a file, run `kernel-builder update-build`, which keeps order and comments, and names each key that it cannot carry over. With
  `--check`, it only reports. A file without `edition` counts as edition ${toString schema.edition}, or as an older one if it has the keys of that edition.

  ## Editors

  `kernel-builder schema` prints a JSON Schema of this page, which is also [here](build-toml.schema.json). Begin a file with `#:schema PATH`:
  editors that know Taplo's comments then check it and complete its keys ([editors](../guide/editors.md)).
''
