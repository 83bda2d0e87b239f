# Checks the sources that build.toml lists: they exist and can be compiled.
{ values, config, ... }:
let
  inherit (builtins)
    all
    attrNames
    concatMap
    concatStringsSep
    elem
    filter
    head
    toJSON
    ;
  inherit (values) paths;
  inherit (values.lists) optionals;
  inherit (config) endings;
  inherit (config.sourceLists)
    hasUnit
    listFolderEntries
    listSourceSections
    listSourceEntries
    ;
  inherit (config.tree) checkPaths checkPublishedPaths;

  # Every backend of a section must compile all of the section's sources. Other files may be included.
  endingProblems =
    section:
    let
      isSource =
        entry:
        endings.isUnit { backends = attrNames endings.units; } entry.written
        || elem (paths.ending entry.written) endings.foreignSources;
      compiles = entry: backend: endings.isUnit { backends = [ backend ]; } entry.written;
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
    }) (filter (entry: isSource entry && refusing entry != [ ]) (listSourceEntries section));

  # The framework's section defines the extension, so it needs a unit. A component may list headers only.
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
in
{
  /**
    Problems of the sources and folders of a configuration.

    Type: checkSources :: { root :: Path; config :: Config; } -> [Problem]
  */
  checkSources =
    { root, config }:
    let
      sections = listSourceSections config;
      compiled = filter (section: section.backends != [ ]) sections;
      package = config.general.python-name;
      # Without a framework section, the folder of Torch kernels is assumed.
      folder = if config.framework == null then "torch-ext" else config.framework.folder;
      init = "${folder}/${toString package}/__init__.py";
      pathProblems = checkPaths { inherit root; } (
        concatMap (section: listSourceEntries section ++ listFolderEntries section) sections
        ++ optionals (package != null) [
          {
            at = init;
            written = init;
            wanted = "regular";
          }
        ]
      );
      # These files and folders are published unchanged.
      publishedProblems = checkPublishedPaths { inherit root; } (
        [
          "CARD.md"
          "benchmarks"
        ]
        ++ optionals (package != null) [ "${folder}/${package}" ]
      );
      # Report only one problem for each place.
      isNew = problem: all (other: other.at != problem.at) pathProblems;
    in
    pathProblems
    ++ filter isNew publishedProblems
    ++ filter isNew (concatMap endingProblems compiled)
    ++ concatMap emptyProblems compiled;
}
