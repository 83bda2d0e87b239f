# The sections of a kernel as the plan reads them: with the files that their sources include.
{
  values,
  config,
  plan,
  ...
}:
let
  inherit (builtins) concatMap concatStringsSep filter groupBy head length mapAttrs;
  inherit (values) paths;
  inherit (values.lists) unique;
  inherit (config.sectionRules) joinFields;
  inherit (plan) includeGraph;
  inherit (plan.includes) readIncludes;

  addReached =
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
    section
    // {
      reached = mapAttrs describe visible;
      flagReadings = mapAttrs (_: flags: readIncludes (concatStringsSep "\n" flags)) section.flags;
    };
in
{
  /**
    Sections with `reached`, the files that each file includes with the section's include folders, and `flagReadings`,
    which say what its flags mean by their key: a macro that flags define brings its text into the unit. Files in `src`
    that the scan cannot read may be used in any way, such as by `.incbin`.

    Type: extendSections :: Graph -> [Section] -> [ReadSection]
  */
  extendSections = graph: map (addReached graph);

  /**
    The section that compiles a source which these sections list, joined by the rules of its fields.

    Type: joinSections :: Graph -> [ReadSection] -> ReadSection
  */
  joinSections =
    graph: sections:
    if length sections == 1 then head sections else addReached graph (joinFields sections);

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
      sourceOf = listing: listing.source;
      bySource = groupBy sourceOf listings;
    in
    map (source: {
      inherit source;
      sections = map (listing: listing.section) bySource.${source};
    }) (unique (map sourceOf listings));
}
