# Warnings about the sources that build.toml lists: entries that are allowed but may be mistakes.
{ values, messages, backends, config, ... }:
let
  inherit (builtins)
    all
    attrNames
    attrValues
    concatMap
    concatStringsSep
    elem
    filter
    groupBy
    head
    isList
    length
    match
    tail
    toJSON
    ;
  inherit (values) paths;
  inherit (values.lists) optionals unique;
  inherit (messages.check) appendKey;
  inherit (config) endings;
  inherit (config) schema;
  inherit (config.includeFlags) listIncludeFlagWarnings;
  inherit (config.sourceLists)
    hasUnit
    listSourceSections
    listSourceEntries
    sourceKeys
    ;

  isFlags = key: match ".*-flags" key != null;

  emptyWarnings =
    section:
    optionals (!section.isBinding && !hasUnit section) [
      {
        at = "${section.at}.src";
        found = "headers only";
        want = "a source that can be compiled";
        fix = "add a source, or delete the component: headers that a source includes are found without it";
      }
    ];

  # A misspelt ending makes a source a file for includes.
  uncompiledWarnings =
    section:
    let
      isKnown =
        file:
        endings.isUnit { backends = attrNames endings.units; } file
        || elem (paths.ending file) (endings.headers ++ endings.foreignSources);
      names = filter (file: !isKnown file) section.src;
      count = length names;
    in
    optionals (names != [ ]) [
      {
        at = "${section.at}.src";
        found = "${toJSON (head names)}${
          if count == 1 then "" else " and ${toString (count - 1)} more"
        }, which cannot be compiled by the name";
        want = "sources, and files that they include";
        fix = "nothing, if sources include it; else correct the name, or delete the entry";
      }
    ];

  flagWarnings =
    section:
    concatMap (
      key:
      listIncludeFlagWarnings {
        inherit (section) at include;
        inherit key;
        flags = section.values.${key};
      }
    ) (filter isFlags sourceKeys);

  # Keys with flags that the compiler of no source reads, such as `cxx-flags` beside `.cu` files only.
  unreadWarnings =
    section:
    let
      languages = concatMap (
        backend:
        concatMap (
          source:
          optionals (endings.isUnit { backends = [ backend ]; } source) [
            backends.all.${backend}.languages.${paths.ending source}
          ]
        ) section.src
      ) section.backends;
      read = unique (concatMap (language: language.flagsKeys) languages);
    in
    map (key: {
      at = appendKey section.at key;
      found = "flags that no source gets";
      want = if read == [ ] then "no flags" else "the flags in ${concatStringsSep " and " read}";
      fix = "delete the key, after you have copied the flags that the sources need";
    }) (filter (key: languages != [ ] && section.values.${key} != [ ] && !elem key read) (filter isFlags sourceKeys));

  # The entries that repeat a source for one backend, each with the first entry for that source. Headers
  # may be listed any number of times.
  repeatsOf =
    sections: backend:
    let
      isForBackend = section: elem backend section.backends;
      isUnit =
        entry:
        endings.isUnit { backends = [ backend ]; } entry.written && paths.join "" entry.written != null;
      entries = filter isUnit (concatMap listSourceEntries (filter isForBackend sections));
      bySource = attrValues (groupBy (entry: paths.join "" entry.written) entries);
    in
    concatMap (
      entriesOfSource:
      map (entry: {
        inherit entry;
        first = head entriesOfSource;
      }) (tail entriesOfSource)
    ) bySource;

  # A source is compiled once, whichever sections list it.
  repeatWarnings =
    { entry, first }:
    let
      differing = filter (key: entry.section.values.${key} != first.section.values.${key}) sourceKeys;
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
      optionals (differing != [ ]) [
        {
          inherit (entry) at;
          found = "${toJSON entry.written}, which ${first.at} lists with other ${concatStringsSep ", " differing}";
          want = "the same in each section that lists it: it is compiled once, ${
            if all isJoined differing then "with those of all sections" else "as ${first.section.at} says"
          }";
          fix = "in one of the sections list another file that includes this one, unless it is meant for all of them";
        }
      ];
in
{
  /**
    Warnings about sources that are headers only, cannot be compiled by their names or are listed more than once, and
    about flags that name folders of the kernel or that no source gets.

    Type: listSourceWarnings :: { config :: Config; } -> [Problem]
  */
  listSourceWarnings =
    { config }:
    let
      sections = listSourceSections config;
    in
    concatMap emptyWarnings sections
    ++ concatMap uncompiledWarnings sections
    ++ concatMap flagWarnings sections
    ++ concatMap unreadWarnings sections
    # Each backend finds the repeats in the framework's section; `unique` reports them once.
    ++ unique (concatMap (backend: concatMap repeatWarnings (repeatsOf sections backend)) schema.backends);
}
