# The sections of a kernel as the plan reads them: with the files that their sources include.
{ values, plan, ... }:
let
  inherit (builtins) attrValues concatLists concatMap concatStringsSep elemAt filter genList groupBy head length;
  inherit (builtins) listToAttrs mapAttrs sort;
  inherit (values) paths;
  inherit (values.attributes) generate;
  inherit (values.lists) unique;
  inherit (plan) includeGraph;
  inherit (plan.includes) readIncludes;

  # `reached` has the files that each file includes, with the section's include folders, and `flagReadings` what its
  # flags say, by their key: a macro that flags define brings its text into the unit. They are the same in every variant.
  # Files in `src` that the scan cannot read may be used in any way, such as by `.incbin`.
  describeSection =
    graph: section:
    let
      visible = includeGraph.selectFolders section.include graph;
      unread = filter (file: graph.${file}.isOpaque) section.src;
      describe =
        file: _:
        let
          reached = includeGraph.describeReachedFiles visible file;
        in
        reached // { files = if unread == [ ] then reached.files else unique (reached.files ++ unread); };
    in
    {
      reached = mapAttrs describe visible;
      flagReadings = mapAttrs (_: flags: readIncludes (concatStringsSep "\n" flags)) section.flags;
    };
in
{
  /**
    A function that adds `reached` and `flagReadings` to a variant's sections.

    Type: extendSections :: { config :: Config; graph :: Graph; } -> [Section] -> [PlannedSection]
  */
  extendSections =
    { config, graph }:
    let
      # A component may have the name of a framework, but not its place.
      additions = listToAttrs (
        map (section: {
          name = section.at;
          value = describeSection graph section;
        }) config.sections
      );
    in
    map (section: section // additions.${section.at});

  /**
    The section that compiles a source which several sections list. Lists are joined in the order of the sections.

    Type: joinSections :: Graph -> [PlannedSection] -> PlannedSection
  */
  joinSections =
    graph: sections:
    let
      first = head sections;
      joined =
        first
        // generate [ "depends" "include" ] (key: unique (concatMap (section: section.${key}) sections))
        // {
          flags = mapAttrs (
            key: _: concatLists (unique (map (section: section.flags.${key}) sections))
          ) first.flags;
        };
    in
    if length sections == 1 then first else joined // describeSection graph joined;

  /**
    The sources that a backend compiles, in the order in which sections list them, each once with all sections that list
    it.

    Type: listSources :: Backend -> [Section] -> [{ source :: String; sections :: [Section]; }]
  */
  listSources =
    backend: sections:
    let
      isUnit = file: backend.languages ? ${paths.ending file};
      listings = concatMap (
        section: map (source: { inherit section source; }) (filter isUnit section.src)
      ) sections;
      numbered = genList (number: elemAt listings number // { inherit number; }) (length listings);
      groups = attrValues (groupBy (listing: listing.source) numbered);
    in
    map (listings: {
      inherit (head listings) source;
      sections = map (listing: listing.section) listings;
    }) (sort (a: b: (head a).number < (head b).number) groups);
}
