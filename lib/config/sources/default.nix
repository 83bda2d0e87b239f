# The sources that build.toml lists: do they exist, can they be compiled, and is
# each of them compiled once?
{
  check,
  endings,
  paths,
  schema,
  tree,
  ...
}:
let
  inherit (builtins)
    all
    any
    attrNames
    concatMap
    concatStringsSep
    elem
    elemAt
    filter
    foldl'
    genList
    head
    length
    toJSON
    ;

  # The lists of sources with the backends that compile them: those of [torch] are
  # part of every variant.
  sectionsOf =
    config:
    let
      known = filter (backend: elem backend config.general.backends) schema.backends;
    in
    (
      if config.torch == null then
        [ ]
      else
        [
          {
            at = "torch";
            inherit (config.torch) src include;
            backends = if known == [ ] then schema.backends else known;
          }
        ]
    )
    ++ map (name: {
      at = check.under "kernel" name;
      inherit (config.components.${name}) src include;
      # None, where the backend is a mistake: that is told elsewhere.
      backends = filter (backend: backend == config.components.${name}.backend) schema.backends;
    }) (attrNames config.components);

  entriesOf =
    at: wanted: list:
    genList (index: {
      inherit wanted;
      at = "${at}[${toString index}]";
      written = elemAt list index;
    }) (length list);

  sourcesOf = section: entriesOf "${section.at}.src" "regular" section.src;
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

  emptyProblems =
    section:
    if any (endings.isUnit { inherit (section) backends; }) section.src then
      [ ]
    else
      [
        {
          at = "${section.at}.src";
          found = if section.src == [ ] then "an empty list" else "headers only";
          want = "a source that can be compiled";
          fix = "add the sources";
        }
      ];

  # In one variant every unit may come once, or its symbols are there twice.
  # Headers may be listed as often as one likes.
  repeatProblems =
    sections: backend:
    let
      isHere = section: elem backend section.backends;
      isUnit = entry: endings.isUnit { backends = [ backend ]; } entry.written;
      entries = filter isUnit (concatMap sourcesOf (filter isHere sections));
      step =
        state: entry:
        let
          path = paths.join "" entry.written;
          problem = {
            inherit (entry) at;
            found = "${toJSON entry.written}, which ${state.first.${path}} lists already";
            want = "every source once in a variant";
            fix = "delete one of the two entries";
          };
        in
        if path == null then
          state
        else if state.first ? ${path} then
          state // { problems = state.problems ++ [ problem ]; }
        else
          state
          // {
            first = state.first // {
              ${path} = entry.at;
            };
          };
    in
    (foldl' step {
      first = { };
      problems = [ ];
    } entries).problems;

  # A repeat within [torch] is one in every variant, and told once.
  addNew = known: problem: if elem problem known then known else known ++ [ problem ];
in
{
  /**
    What is wrong with the sources and folders of a filled-in configuration.

    # Type

    ```
    problems :: { root :: Path; config :: Config; } -> [Problem]
    ```
  */
  problems =
    { root, config }:
    let
      sections = sectionsOf config;
      compiled = filter (section: section.backends != [ ]) sections;
      package = config.general.python-name;
      init = "torch-ext/${toString package}/__init__.py";
      missing = tree.problems { inherit root; } listed;
      # What is not there has no ending to speak of.
      isThere = problem: all (other: other.at != problem.at) missing;
      listed =
        concatMap (section: sourcesOf section ++ foldersOf section) sections
        ++ (
          if package == null then
            [ ]
          else
            [
              {
                at = init;
                written = init;
                wanted = "regular";
              }
            ]
        );
    in
    missing
    ++ filter isThere (concatMap endingProblems compiled)
    ++ concatMap emptyProblems compiled
    ++ foldl' addNew [ ] (concatMap (repeatProblems sections) schema.backends);
}
