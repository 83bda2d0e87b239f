# The components of a kernel as the plan reads them, and the sources that they list.
{
  values,
  config,
  plan,
  ...
}:
let
  inherit (builtins)
    attrNames
    attrValues
    concatLists
    concatMap
    concatStringsSep
    elemAt
    filter
    genList
    groupBy
    head
    isList
    length
    mapAttrs
    sort
    ;
  inherit (values) paths;
  inherit (values.attributes) generate;
  inherit (values.lists) unique;
  inherit (plan) includeGraph;
  inherit (plan.includes) readIncludes;
  inherit (config.schema.sections."kernel.NAME") keys;

  # `reached` has the files that each file includes, with the component's include folders, and `flagReadings` what its
  # flags say, by their key: a macro that flags define brings its text into the unit. They are the same in every variant.
  # Files in `src` that the scan cannot read may be used in any way, such as by `.incbin`.
  addReached =
    graph: component:
    let
      visible = includeGraph.selectFolders component.include graph;
      unread = filter (file: graph.${file}.isOpaque) component.src;
      describe =
        file: _:
        let
          reached = includeGraph.describeReachedFiles visible file;
        in
        reached // { files = if unread == [ ] then reached.files else unique (reached.files ++ unread); };
    in
    component
    // {
      reached = mapAttrs describe visible;
      flagReadings = mapAttrs (_: flags: readIncludes (concatStringsSep "\n" flags)) component;
    };
in
{
  /**
    The components of a kernel by name, and its binding: the framework's section as one more component,
    which depends on the framework and has no keys of a backend.

    Type: readComponents :: { config :: Config; graph :: Graph; } -> { binding :: Component; named :: {
      ${name} :: Component; }; }
  */
  readComponents =
    { config, graph }:
    {
      binding = addReached graph (
        mapAttrs (_: key: key.default) keys
        // {
          inherit (config.framework) name;
          inherit (config.section) src include cxx-flags;
          depends = config.framework.bindingDepends;
        }
      );
      named = mapAttrs (name: component: addReached graph (component // { inherit name; })) config.components;
    };

  /**
    The component that compiles a source which several components list. Lists are joined in the order of
    the components. Other values are those of the first component; lib/config/sources warns if they differ.

    Type: joinComponents :: Graph -> [Component] -> Component
  */
  joinComponents =
    graph: components:
    let
      first = head components;
      valueOf = key: component: component.${key} or keys.${key}.default;
      valuesOf = key: unique (map (valueOf key) components);
      listKeys = filter (key: keys.${key}.perSource && isList (valueOf key first)) (attrNames keys);
    in
    if length components == 1 then
      first
    else
      addReached graph (
        first
        // generate listKeys (key: concatLists (valuesOf key))
        // generate [ "depends" "include" ] (key: unique (concatLists (valuesOf key)))
      );

  /**
    The sources that a backend compiles, in the order in which components list them, each once with all
    components that list it.

    Type: listSources :: Backend -> [Component] -> [{ source :: String; components :: [Component]; }]
  */
  listSources =
    backend: components:
    let
      isUnit = file: backend.languages ? ${paths.ending file};
      listings = concatMap (
        component:
        map (source: { inherit component source; }) (filter isUnit component.src)
      ) components;
      numbered = genList (number: elemAt listings number // { inherit number; }) (length listings);
      groups = attrValues (groupBy (listing: listing.source) numbered);
    in
    map (listings: {
      inherit (head listings) source;
      components = map (listing: listing.component) listings;
    }) (sort (a: b: (head a).number < (head b).number) groups);
}
