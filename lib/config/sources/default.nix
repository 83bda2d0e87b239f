# The sources that build.toml lists: do they exist, can they be compiled, and is
# each of them compiled once?
{ values, messages, platforms, config, ... }:
let
  inherit (builtins)
    all
    any
    attrNames
    attrValues
    concatMap
    concatStringsSep
    elem
    elemAt
    filter
    foldl'
    genList
    groupBy
    head
    isList
    length
    match
    tail
    toJSON
    ;
  inherit (values) attributes paths;
  inherit (values.lists) optionals;
  inherit (messages.check) appendKey;
  inherit (platforms) endings;
  inherit (config) schema;
  inherit (config.includeFlags) listIncludeFlagWarnings;
  inherit (config.tree) checkPaths checkPublishedPaths;

  # The keys by which sources are compiled, beside their targets. The framework's section has only some of
  # them, and the defaults of the others.
  inherit (schema.sections."kernel.NAME") keys;
  sourceKeys = filter (key: keys.${key}.perSource) (attrNames keys);
  isFlags = key: match ".*-flags" key != null;
  valuesOf = section: attributes.generate sourceKeys (name: section.${name} or keys.${name}.default);

  # Not those whose kernels are Python alone.
  compiling = filter (backend: endings.units.${backend} != [ ]) schema.backends;

  # The lists of sources with the backends that compile them: those of the framework's section
  # are part of every variant.
  sectionsOf =
    config:
    let
      known = filter (backend: elem backend config.general.backends) schema.backends;
    in
    (
      optionals (config.framework != null && config.framework.isCompiled) [
        {
          at = config.framework.name;
          inherit (config.section) src include;
          values = valuesOf config.section;
          isBinding = true;
          backends = if known == [ ] then compiling else filter (backend: elem backend compiling) known;
        }
      ]
    )
    ++ map (name: {
      at = appendKey "kernel" name;
      inherit (config.components.${name}) src include;
      values = valuesOf config.components.${name};
      isBinding = false;
      # None, where the backend is a mistake: that is told elsewhere.
      backends = filter (backend: backend == config.components.${name}.backend) compiling;
    }) (attrNames config.components);

  entriesOf =
    at: wanted: list:
    genList (index: {
      inherit wanted;
      at = "${at}[${toString index}]";
      written = elemAt list index;
    }) (length list);

  sourcesOf =
    section:
    map (entry: entry // { inherit section; }) (
      entriesOf "${section.at}.src" "regular" section.src
    );
  foldersOf = section: entriesOf "${section.at}.include" "directory" section.include;

  # Every backend of the section must be able to compile what it lists.
  endingProblems =
    section:
    let
      isHeader = entry: elem (paths.ending entry.written) endings.headers;
      takes = backend: endings.isUnit { backends = [ backend ]; };
      strangersTo = entry: filter (backend: !takes backend entry.written) section.backends;
      common = filter (
        ending: all (backend: elem ending endings.units.${backend}) section.backends
      ) endings.units.${head section.backends};
      allowed = map (ending: ".${ending}") (common ++ endings.headers);
    in
    map (entry: {
      inherit (entry) at;
      found = "${toJSON entry.written}, which cannot be compiled for ${concatStringsSep ", " (strangersTo entry)}";
      want = "a name that ends in ${concatStringsSep ", " allowed}";
      fix = "correct the name, or delete the entry";
    }) (filter (entry: !isHeader entry && strangersTo entry != [ ]) (sourcesOf section));

  hasUnit = section: any (endings.isUnit { inherit (section) backends; }) section.src;

  # The bindings are what makes an extension; a component may be there for its headers.
  emptyProblems =
    section:
    optionals (!hasUnit section && (section.src == [ ] || section.isBinding)) [
      {
        at = "${section.at}.src";
        found = if section.src == [ ] then "an empty list" else "headers only";
        want = "a source that can be compiled";
        fix = "add the sources";
      }
    ];

  emptyWarnings =
    section:
    optionals (!section.isBinding && !hasUnit section) [
      {
        at = "${section.at}.src";
        found = "headers only";
        want = "a source that can be compiled";
        fix = "delete the component, since headers that a source includes are found without it; or add a source";
      }
    ];

  folderWarnings =
    section:
    concatMap (
      key:
      listIncludeFlagWarnings {
        inherit (section) at include;
        inherit key;
        flags = section.values.${key};
      }
    ) (filter isFlags sourceKeys);

  # What is listed more than once for a backend, with where it is listed first. Headers may be
  # listed as often as one likes.
  repeatsOf =
    sections: backend:
    let
      isHere = section: elem backend section.backends;
      isUnit =
        entry:
        endings.isUnit { backends = [ backend ]; } entry.written && paths.join "" entry.written != null;
      entries = filter isUnit (concatMap sourcesOf (filter isHere sections));
      places = attrValues (groupBy (entry: paths.join "" entry.written) entries);
    in
    concatMap (
      same:
      map (entry: {
        inherit entry;
        first = head same;
      }) (tail same)
    ) places;

  # It is compiled once for all of them.
  repeatWarnings =
    { entry, first }:
    let
      differ = filter (key: entry.section.values.${key} != first.section.values.${key}) sourceKeys;
      isJoined = key: isList first.section.values.${key};
    in
    if entry.section.at == first.section.at then
      [
        {
          inherit (entry) at;
          found = "${toJSON entry.written}, which ${first.at} lists already";
          want = "every source once in a section";
          fix = "delete one of the two entries: it is compiled once";
        }
      ]
    else
      optionals (differ != [ ]) [
        {
          inherit (entry) at;
          found = "${toJSON entry.written}, which ${first.at} lists with other ${concatStringsSep ", " differ}";
          want = "the same wherever it is listed: it is compiled once, ${
            if all isJoined differ then "with those of all sections" else "as ${first.section.at} says"
          }";
          fix = "list in one of them a file of its own that includes this one, unless all of them are meant for it";
        }
      ];

  # A repeat within the bindings is one in every variant, and told once.
  addNew = known: problem: if elem problem known then known else known ++ [ problem ];
in
{
  /**
    What is wrong with the sources and folders of a filled-in configuration.

    # Type

    ```
    checkSources :: { root :: Path; config :: Config; } -> [Problem]
    ```
  */
  checkSources =
    { root, config }:
    let
      sections = sectionsOf config;
      compiled = filter (section: section.backends != [ ]) sections;
      package = config.general.python-name;
      # The folder of most, where none is stated.
      folder = if config.framework == null then "torch-ext" else config.framework.folder;
      init = "${folder}/${toString package}/__init__.py";
      missing = checkPaths { inherit root; } listed;
      # Beside the sources, these reach users.
      published = checkPublishedPaths { inherit root; } (
        [
          "CARD.md"
          "benchmarks"
        ]
        ++ optionals (package != null) [ "${folder}/${package}" ]
      );
      # What is not there has no ending to speak of.
      isThere = problem: all (other: other.at != problem.at) missing;
      listed =
        concatMap (section: sourcesOf section ++ foldersOf section) sections
        ++ optionals (package != null) [
          {
            at = init;
            written = init;
            wanted = "regular";
          }
        ];
    in
    missing
    ++ filter (problem: all (other: other.at != problem.at) missing) published
    ++ filter isThere (concatMap endingProblems compiled)
    ++ concatMap emptyProblems compiled;

  /**
    What may be meant and may be a mistake.

    # Type

    ```
    listSourceWarnings :: { config :: Config; } -> [Problem]
    ```
  */
  listSourceWarnings =
    { config }:
    let
      sections = sectionsOf config;
    in
    concatMap emptyWarnings sections
    ++ concatMap folderWarnings sections
    ++ foldl' addNew [ ] (
      concatMap (backend: concatMap repeatWarnings (repeatsOf sections backend)) schema.backends
    );
}
