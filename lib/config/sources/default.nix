# Checks the sources that build.toml lists: they exist and can be compiled.
{ values, messages, config, ... }:
let
  inherit (builtins) all any attrNames attrValues concatMap elem filter groupBy head length tail;
  inherit (values) paths;
  inherit (values.lists) optional optionals unique;
  inherit (messages.catalogue) readCatalogue;
  inherit (config) endings schema;
  inherit (config.sectionRules) describeDifferences;
  inherit (config.tree) checkPaths checkPublishedPaths;

  problems = readCatalogue ./problems.json;

  isSource = file: endings.isUnit (attrNames endings.units) file || elem (paths.ending file) endings.foreignSources;

  # The path that an entry means: "b.cpp/" is b.cpp. Another check refuses paths outside of the kernel.
  fileOf = entry: if entry.path == null then entry.written else entry.path;

  # Every backend of a section must compile all of the section's sources. Other files may be included.
  endingProblems =
    section:
    let
      refusing = entry: filter (backend: !endings.isUnit [ backend ] (fileOf entry)) section.backends;
      common = filter (
        ending: all (backend: elem ending endings.units.${backend}) section.backends
      ) endings.units.${head section.backends};
    in
    map (
      entry:
      problems.uncompiled {
        inherit (entry) at written;
        backends = refusing entry;
        endings = map (ending: ".${ending}") (common ++ endings.headers);
      }
    ) (filter (entry: isSource (fileOf entry) && refusing entry != [ ]) section.entries.src);

  hasUnit = { backends, entries, ... }: any (entry: endings.isUnit backends (fileOf entry)) entries.src;

  # The framework's section defines the extension, so it needs a unit. A component may list headers only.
  emptyProblems =
    section:
    let
      at = "${section.at}.src";
    in
    if section.src == [ ] then
      [ (problems.no-source { inherit at; }) ]
    else
      optional (section.backend == null && !hasUnit section) (problems.no-unit { inherit at; });

  emptyWarnings =
    section:
    optional (section.backend != null && !hasUnit section) (
      problems.headers-only { at = "${section.at}.src"; }
    );

  # A misspelt ending makes a source a file for includes. Code that is compiled already has no flags of a variant.
  uncompiledWarnings =
    section:
    let
      isKnown = file: isSource file || elem (paths.ending file) endings.headers;
      isObject = file: elem (paths.ending file) endings.objects;
      names = filter (file: !isKnown file) (map fileOf section.entries.src);
      warn =
        problem: names:
        optional (names != [ ]) (
          problem {
            at = "${section.at}.src";
            first = head names;
            more = if length names == 1 then "" else " and ${toString (length names - 1)} more";
          }
        );
    in
    warn problems.other-ending (filter (file: !isObject file) names)
    ++ warn problems.object (filter isObject names);

  # The problems that `find` sees in entries which repeat a source for one backend. Headers may be listed any number of
  # times. Each backend finds the repeats in the framework's section; `unique` reports them once.
  listRepeats =
    find: sections:
    let
      findFor =
        backend:
        let
          isUnit = entry: endings.isUnit [ backend ] (toString entry.path);
          entriesOf = section: map (entry: entry // { inherit section; }) (filter isUnit section.entries.src);
          entries = concatMap entriesOf (filter (section: elem backend section.backends) sections);
        in
        concatMap (same: concatMap (find (head same)) (tail same)) (
          attrValues (groupBy (entry: entry.path) entries)
        );
    in
    unique (concatMap findFor schema.backends);

  # A source is compiled once, whichever sections list it.
  describeRepeat =
    first: entry: keys: problem:
    optional (keys != [ ]) (problem { inherit (entry) at written; first = first.at; inherit keys; });
  checkRepeat =
    first: entry:
    describeRepeat first entry (describeDifferences first.section entry.section).refused problems.must-agree;
  warnOfRepeat =
    first: entry:
    if entry.section.at == first.section.at then
      describeRepeat first entry [ "src" ] problems.repeated
    else
      describeRepeat first entry (describeDifferences first.section entry.section).joined problems.joined;
in
{
  /**
    Problems of the sources and folders of a configuration, whose `sections` are as `listSections` returns them.

    Type: checkSources :: { root :: Path; config :: AttrSet; sections :: [Section]; } -> [Problem]
  */
  checkSources =
    { root, config, sections }:
    let
      compiled = filter (section: section.backends != [ ]) sections;
      package = config.general.python-name;
      # Without a framework section, the folder of Torch kernels is assumed.
      folder = config.framework.folder or "torch-ext";
      init = "${folder}/${toString package}/__init__.py";
      pathProblems = checkPaths root (
        concatMap (section: section.entries.src ++ section.entries.include) sections
        ++ optionals (package != null) [
          {
            at = init;
            path = init;
            written = init;
            wanted = "regular";
          }
        ]
      );
      # These files and folders are published unchanged.
      publishedProblems = checkPublishedPaths root (
        [ "CARD.md" "benchmarks" ] ++ optionals (package != null) [ "${folder}/${package}" ]
      );
      # Report only one problem for each place.
      isNew = problem: all (other: other.at != problem.at) pathProblems;
    in
    pathProblems
    ++ filter isNew publishedProblems
    ++ filter isNew (concatMap endingProblems compiled)
    ++ concatMap emptyProblems compiled
    ++ listRepeats checkRepeat sections;

  /**
    Warnings about sources that are headers only, cannot be compiled by their names or are listed more than once.

    Type: listSourceWarnings :: [Section] -> [Problem]
  */
  listSourceWarnings =
    sections:
    concatMap emptyWarnings sections
    ++ concatMap uncompiledWarnings sections
    ++ listRepeats warnOfRepeat sections;
}
