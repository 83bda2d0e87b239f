# Writes docs/reference/status.md and the table in README.md from docs/reference/status.json and the pins of the package sets.
{ library, packages }:
let
  inherit (builtins)
    any
    attrNames
    concatMap
    concatStringsSep
    elemAt
    filter
    fromJSON
    head
    length
    map
    readFile
    split
    ;
  inherit (library) backends;
  inherit (library.values) lists versions;
  inherit (library.values.lists) optionals;
  inherit (library.messages) check;
  inherit (library.config) schema;
  inherit (library.matrix) names;

  table = import ../table.nix;
  rows = import ./rows.nix { inherit library packages; };
  claims = import ./claims.nix { inherit library rows; };

  stated = fromJSON (readFile ../../reference/status.json);
  data = check.throwProblems "docs/reference/status.json cannot be used" (claims.problems stated) stated;
  withoutRow = fromJSON (readFile ../../pins-without-row.json);

  join = concatStringsSep ", ";
  recordsOf = claims.recordsOf data;
  isOwn = record: !record ? instead;

  importOf =
    row:
    if row.importObstacle == null then "CPython ${row.versions.python}" else "no: ${row.importObstacle}";

  nameOf = record: "${record.word}${if isOwn record then "" else " with stand-ins"}";

  # Text such as "imported (4, 5)", with the strongest word first.
  doneOf =
    row:
    let
      found = recordsOf row;
      numbersOf =
        name: join (map (record: toString record.number) (filter (record: nameOf record == name) found));
    in
    join (map (name: "${name} (${numbersOf name})") (lists.unique (map nameOf found)));

  # The compilers of a record: those that stood in for the pinned ones, or those with the versions that it states.
  compilersOf =
    row: record:
    let
      stated = record.versions or { };
      named =
        optionals (stated ? gcc) [ "gcc ${stated.gcc}" ]
        ++ optionals (stated ? toolkit) [ "${backends.all.${row.backend}.toolkit.name} ${stated.toolkit}" ];
    in
    record.compiler or (if named == [ ] then row.toolkitFrom else join named);

  # A fact of the strongest record that `has` it. Records of the row itself come before those with stand-ins.
  factOf =
    has: fact: row:
    let
      found = filter has (recordsOf row);
      own = filter isOwn found;
    in
    if own != [ ] then
      fact row (head own)
    else if found != [ ] then
      "${fact row (head found)}, with stand-ins"
    else
      "no";

  codeOf = fact: row: if row.isCompiled then fact row else "no compiled code";

  rowsOf = backend: filter (row: row.backend == backend) rows;

  # A table of all rows of a backend.
  tableOf =
    backend: columns:
    table {
      head = [
        "Torch"
        "compute"
        "system"
      ]
      ++ map (column: column.head) columns;
      rows = map (
        row:
        [
          (versions.majorMinor row.torch)
          row.compute
          row.system
        ]
        ++ map (column: column.cell row) columns
      ) (rowsOf backend);
    };

  sectionOf = backend: ''

    ### ${backend}

    ${tableOf backend [
      {
        head = "done";
        cell = doneOf;
      }
      {
        head = "compiled by";
        cell = codeOf (factOf claims.isCompiled compilersOf);
      }
      {
        head = "linked";
        cell = codeOf (factOf claims.isLinked (_: _: "yes"));
      }
      {
        head = "loaded on";
        cell = factOf claims.isLoaded (_: record: record.on);
      }
      {
        head = "when";
        cell = row: (head (recordsOf row)).date;
      }
    ]}

    ${tableOf backend [
      {
        head = "Torch wheel";
        cell = row: row.torchFrom;
      }
      {
        head = "toolkit";
        cell = row: row.toolkitFrom;
      }
      {
        head = "import check";
        cell = importOf;
      }
    ]}
  '';

  compiled = filter (row: row.isCompiled) rows;
  # Text such as "13 of 39": rows of one system without an obstacle, of all its rows.
  shareOf =
    obstacle: system:
    let
      ofSystem = filter (row: row.system == system) compiled;
    in
    "${toString (length (filter (row: row.${obstacle} == null) ofSystem))} of ${toString (length ofSystem)}";

  coverage = table {
    head = [
      "system"
      "imported by the build"
      "with tests"
    ];
    rows = map (system: [
      system
      (shareOf "importObstacle" system)
      (shareOf "shellObstacle" system)
    ]) systems;
  };

  # The outputs that a kernel's flake has for each variant of a system. An obstacle to the import is one to the tests, too.
  variantsOf =
    system:
    table {
      head = [
        "variant"
        "can be built"
        "imported by the build"
        "development shell"
        "tests and test shell"
        "because"
      ];
      rows = map (
        row:
        let
          answer = no: obstacle: if obstacle == null then "yes" else no;
        in
        [
          row.name
          (answer "no" row.unbuilt)
          (answer "no" row.importObstacle)
          (if row.unbuilt != null then "no" else answer "compiles only" row.shellObstacle)
          (answer "no" row.shellObstacle)
          (if row.shellObstacle == null then "" else row.shellObstacle)
        ]
      ) (filter (row: row.system == system) compiled);
    };

  records = table {
    head = [
      ""
      "word"
      "what was done"
      "with"
      "on"
      "see"
    ];
    rows = map (record: [
      (toString record.number)
      record.word
      "${record.what}${if isOwn record then "" else "; instead of the row's own: ${record.instead}"}"
      (join (
        map (name: "${name} ${record.versions.${name}}") (attrNames (record.versions or { }))
      ))
      record.date
      (record.shown or "")
    ]) (claims.numbered data);
  };

  absent = table {
    head = [
      "Torch"
      "compute"
      "systems"
      "why"
    ];
    rows = concatMap (
      { rows, why }:
      map (selection: [
        (join (map versions.majorMinor selection.torch))
        (join (
          map (
            toolkit:
            names.nameCompute {
              inherit (selection) backend;
              inherit toolkit;
            }
          ) (selection.toolkit or [ null ])
        ))
        (join selection.systems)
        why
      ]) rows
    ) data.absent;
  };

  # The number of rows of a backend on one system, by the strongest word of each.
  countsOf =
    backend: system:
    let
      best = map (row: nameOf (head (recordsOf row))) (
        filter (row: row.system == system) (rowsOf backend)
      );
      countOf = name: length (filter (other: other == name) best);
      named = concatMap (word: [
        word.name
        "${word.name} with stand-ins"
      ]) claims.words;
    in
    join (map (name: "${toString (countOf name)} ${name}") (filter (name: countOf name > 0) named));

  systems = lists.unique (map (row: row.system) rows);

  # The first word is the strongest.
  best = builtins.head claims.words;
  isMissing = !any (record: isOwn record && record.word == best.name) data.done;

  summary =
    table {
      head = [ "backend" ] ++ systems;
      rows = map (backend: [ backend ] ++ map (countsOf backend) systems) schema.backends;
    }
    + (
      if isMissing then "\n\nNothing has been ${best.name} yet." else ""
    );

  # README.md, with the summary between its two marks.
  mark = "<!-- Written by `tests/run docs --renew` from docs/reference/status.json. -->";
  readme = filter builtins.isString (split "(${mark})" (readFile ../../../README.md));
in
{
  "../../README.md" = "${head readme}${mark}\n\n${summary}\n\n${mark}${elemAt readme 2}";

  "status.md" = ''
    # Status

    <!-- Written by `tests/run docs --renew` from docs/reference/status.json, lib/matrix/matrix.json and the pins below pkgs/; edit those instead. -->

    This page records how far each build of Torch was tested on each system, with the compiler, the machine that loaded a kernel, and the day. It also
    lists the sources of Torch, toolkit and Python, all pinned by hash. Numbers refer to [records](#records). To list the variants of your own kernel:

    ```sh
    kernel-builder list-variants --explain
    ```

    ${summary}

    ${table {
      head = [
        "word"
        "meaning"
      ];
      rows = map (word: [
        word.name
        word.meaning
      ]) claims.words;
    }}

    The first table counts each build under its strongest word. Each word holds for at least one kernel, which the record names. A word says
    nothing about other kernels, except that they are built in the same way.

    "With stand-ins" means that other compilers or libraries replaced the pinned ones, so the variant was never loaded by the Torch that it is for.
    Builds whose Torch or toolkit comes from a host that was never reached had stand-ins or were not compiled. These hosts were never reached:
    ${join (filter (host: !data.hosts.${host}.reached) (attrNames data.hosts))}.

    ## Import checks, shells and tests

    Every variant has a development shell (`devShells`). The build imports a variant, and `testShells` and `ciTests` run it, only if the pinned wheel of
    its Torch is for a CPython of the package set. Tests also need the libraries that this wheel loads. Otherwise the development shell
    [compiles only](variants.md#import-checks-shells-and-tests). Counts of builds with compiled code:

    ${coverage}

    The next tables list the outputs of `nix build`, `nix develop` and `nix run` for a kernel with all backends. [Builds](#builds) lists the tests so far.
    ${concatStringsSep "" (
      map (system: ''

        ### Variants for ${system}

        ${variantsOf system}
      '') systems
    )}
    ## Builds
    ${concatStringsSep "" (map sectionOf schema.backends)}
    On Linux, Python and the C++ compiler are Debian packages; GPU code has the same host compiler. Each Torch wheel is for one CPython: 3.11 (Debian
    12's), or 3.13 (Debian 13's) where no hash of a wheel for 3.11 could be found without Torch's own server. Headers and libraries are the same, so
    kernels compile in the same way against both. Libraries that a Torch for GPUs loads are pinned where package registries have this Torch and its
    toolkit, and for some builds of Torch's own server. The pinned versions are those of its releases; they were not compared with the wheels.

    ## Records

    ${records}

    ## Pins without a row

    ${table {
      head = [
        "Torch"
        "why"
      ];
      rows = map (build: [
        build
        withoutRow.${build}
      ]) (attrNames withoutRow);
    }}

    ## Missing rows

    ${absent}
  '';
}
