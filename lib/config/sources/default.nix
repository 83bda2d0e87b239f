# Checks the sources that build.toml lists: they exist and can be compiled.
{ values, config, ... }:
let
  inherit (builtins) all any attrNames attrValues concatMap concatStringsSep elem filter groupBy head length tail toJSON;
  inherit (values) paths;
  inherit (values.lists) optionals unique;
  inherit (config) endings schema;
  inherit (config.sectionRules) describeDifferences;
  inherit (config.tree) checkPaths checkPublishedPaths;

  isSource =
    file:
    endings.isUnit { backends = attrNames endings.units; } file
    || elem (paths.ending file) endings.foreignSources;

  # The path that an entry means: "b.cpp/" is b.cpp. Another check refuses paths outside of the kernel.
  fileOf = entry: if entry.path == null then entry.written else entry.path;

  # Every backend of a section must compile all of the section's sources. Other files may be included.
  endingProblems =
    section:
    let
      compiles = entry: backend: endings.isUnit { backends = [ backend ]; } (fileOf entry);
      refusing = entry: filter (backend: !compiles entry backend) section.backends;
      common = filter (
        ending: all (backend: elem ending endings.units.${backend}) section.backends
      ) endings.units.${head section.backends};
      allowed = map (ending: ".${ending}") (common ++ endings.headers);
    in
    map (entry: {
      inherit (entry) at;
      found = "${toJSON entry.written}, which cannot be compiled for ${concatStringsSep ", " (refusing entry)}";
      want = "a name that ends in ${concatStringsSep ", " allowed}";
      fix = "correct the name, or delete the entry";
    }) (filter (entry: isSource (fileOf entry) && refusing entry != [ ]) section.entries.src);

  hasUnit =
    { backends, entries, ... }:
    any (entry: endings.isUnit { inherit backends; } (fileOf entry)) entries.src;

  # The framework's section defines the extension, so it needs a unit. A component may list headers only.
  emptyProblems =
    section:
    optionals (!hasUnit section && (section.src == [ ] || section.backend == null)) [
      {
        at = "${section.at}.src";
        found = if section.src == [ ] then "an empty list" else "headers only";
        want = "a source that can be compiled";
        fix = "add the sources";
      }
    ];

  emptyWarnings =
    section:
    optionals (section.backend != null && !hasUnit section) [
      {
        at = "${section.at}.src";
        found = "headers only";
        want = "a source that can be compiled";
        fix = "add a source, or delete the component: headers that a source includes are found without it";
      }
    ];

  # A misspelt ending makes a source a file for includes. Code that is compiled already has no flags of a variant.
  uncompiledWarnings =
    section:
    let
      isKnown = file: isSource file || elem (paths.ending file) endings.headers;
      isObject = file: elem (paths.ending file) [ "a" "dylib" "lib" "o" "obj" "so" ];
      names = filter (file: !isKnown file) (map fileOf section.entries.src);
      warn =
        { names, why, want, fix }:
        optionals (names != [ ]) [
          {
            at = "${section.at}.src";
            found = "${toJSON (head names)}${
              if length names == 1 then "" else " and ${toString (length names - 1)} more"
            }, which ${why}";
            inherit want fix;
          }
        ];
    in
    warn {
      names = filter (file: !isObject file) names;
      why = "cannot be compiled by the name";
      want = "sources, and files that they include";
      fix = "nothing, if sources include it; else correct the name, or delete the entry";
    }
    ++ warn {
      names = filter isObject names;
      why = "no build links";
      want = "sources: archives, objects and libraries are no part of an extension";
      fix = "list the sources that it is made of instead";
    };

  # The problems that `find` sees in entries which repeat a source for one backend. Headers may be listed any number of
  # times. Each backend finds the repeats in the framework's section; `unique` reports them once.
  listRepeats =
    find: sections:
    unique (concatMap (listRepeatsFor find sections) schema.backends);
  listRepeatsFor =
    find: sections: backend:
    let
      isUnit = entry: entry.path != null && endings.isUnit { backends = [ backend ]; } entry.path;
      entriesOf = section: map (entry: entry // { inherit section; }) (filter isUnit section.entries.src);
      entries = concatMap entriesOf (filter (section: elem backend section.backends) sections);
    in
    concatMap (same: concatMap (find (head same)) (tail same)) (
      attrValues (groupBy (entry: entry.path) entries)
    );

  # A source is compiled once, whichever sections list it.
  problemOfFields =
    first: entry: keys: advice:
    optionals (keys != [ ]) [
      (
        {
          inherit (entry) at;
          found = "${toJSON entry.written}, which ${first.at} lists with other ${concatStringsSep ", " keys}";
        }
        // advice
      )
    ];
  checkRepeat =
    first: entry:
    problemOfFields first entry (describeDifferences first.section entry.section).refused {
      want = "the same in each section that lists it: it is compiled once";
      fix = "state the same in these sections, or list in one of them another file that includes this one";
    };
  warnOfRepeat =
    first: entry:
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
      problemOfFields first entry (describeDifferences first.section entry.section).joined {
        want = "the same in each section that lists it: it is compiled once, with those of all sections";
        fix = "in one of the sections list another file that includes this one, unless it is meant for all of them";
      };
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
      folder = if config.framework == null then "torch-ext" else config.framework.folder;
      init = "${folder}/${toString package}/__init__.py";
      pathProblems = checkPaths { inherit root; } (
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
      publishedProblems = checkPublishedPaths { inherit root; } (
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

    Type: listSourceWarnings :: { sections :: [Section]; } -> [Problem]
  */
  listSourceWarnings =
    { sections }:
    concatMap emptyWarnings sections
    ++ concatMap uncompiledWarnings sections
    ++ listRepeats warnOfRepeat sections;
}
