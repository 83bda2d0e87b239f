# Which files does a translation unit reach? No import-from-derivation, and no list that somebody
# has to keep.
#
# The answer may be too large (a name is looked for in every include folder of the component),
# never too small: what is not found here is absent from the build as well, so the compiler
# stops.
{ values, backends, platforms, plan, ... }:
let
  inherit (builtins)
    any
    attrNames
    concatMap
    elem
    filter
    genericClosure
    listToAttrs
    mapAttrs
    readFile
    ;
  inherit (values) lists paths;
  inherit (values.lists) optionals;
  inherit (platforms) endings;
  inherit (plan.includes) readIncludes;
  inherit (plan.headers) findOwners;
  inherit (lists) unique;

  # The kernel's own files that includes may mean, the names that mean none of them, and the
  # packages of these.
  found =
    resolved:
    let
      others = filter (include: include.candidates == [ ]) resolved;
    in
    {
      direct = concatMap (include: map (candidate: candidate.file) include.candidates) resolved;
      foreign = map (include: include.name) others;
      owners = unique (map (include: include.owners) others);
    };

  isUnit = endings.isUnit { backends = attrNames backends.all; };

  self = {
    /**
      All that the files `start` reach inside the kernel: an attribute set from file
      to what it says, with the files that it includes directly as `direct`, the names that
      are not the kernel's own as `foreign`, and the packages of these as `owners`. Where one of them computes a name, it may mean any
      header in `folders`, so these are there as well. `resolved` says in which folder each
      file was found.

      # Type

      ```
      makeFileGraph :: { root :: Path; folders :: [String]; start :: [String]; } -> { ${file} :: Reading // { direct :: [String]; foreign :: [String]; owners :: [[String]]; resolved :: [Resolved]; }; }
      ```
    */
    makeFileGraph =
      {
        root,
        folders,
        start,
      }:
      let
        isFile = paths.isFile root;
        isHeader = file: elem (paths.ending file) endings.headers && isFile file;
        node =
          file:
          let
            reading = readIncludes (readFile (root + "/${file}"));
            own = paths.parent file;
            # `folder` is null for the file's own one.
            candidates =
              { quoted, name }:
              filter (candidate: candidate.file != null && isFile candidate.file) (
                (
                  optionals quoted [
                    {
                      folder = null;
                      file = paths.join own name;
                    }
                  ]
                )
                ++ map (folder: {
                  inherit folder;
                  file = paths.join folder name;
                }) folders
              );
            resolved = map (include: {
              inherit (include) quoted name;
              candidates = candidates include;
              # Here, it is asked once for all units and variants.
              owners = findOwners include.name;
            }) reading.names;
          in
          {
            key = file;
            value = reading // found resolved // { inherit resolved; };
          };
        from =
          files:
          genericClosure {
            startSet = map node files;
            operator = { value, ... }: map node value.direct;
          };
        reached = from start;
        # Folders are only looked through where it matters: one may hold all that a kernel has.
        everyHeader = filter isHeader (concatMap (paths.filesBelow root) folders);
      in
      listToAttrs (
        map (
          { key, value }:
          {
            name = key;
            inherit value;
          }
        ) (if any ({ value, ... }: value.computed) reached then from (start ++ everyHeader) else reached)
      );

    /**
      A graph as units see it that have only `folders` on their include path.

      # Type

      ```
      selectFolders :: [String] -> Graph -> Graph
      ```
    */
    selectFolders =
      folders: graph:
      let
        isSeen = candidate: candidate.folder == null || elem candidate.folder folders;
        see = include: include // { candidates = filter isSeen include.candidates; };
      in
      mapAttrs (_: reading: reading // found (map see reading.resolved)) graph;

    /**
      Everything that one unit reaches in a graph, itself first. A computed include may
      mean any header of the graph. `first` is what the unit itself includes first.

      # Type

      ```
      describeReachedFiles :: Graph -> String -> { first :: Resolved | Null; files :: [String]; foreign :: [String]; owners :: [[String]]; computed :: Bool; extensionName :: String; registersModule :: Bool; seesTargets :: Bool; seesPass :: Bool; }
      ```
    */
    describeReachedFiles =
      graph: unit:
      let
        from =
          start:
          map (node: node.key) (genericClosure {
            startSet = map (key: { inherit key; }) start;
            operator = { key }: map (file: { key = file; }) graph.${key}.direct;
          });
        computesOne = any (file: graph.${file}.computed);
        found = from [ unit ];
        files =
          if computesOne found then
            from ([ unit ] ++ filter (file: !isUnit file) (attrNames graph))
          else
            found;
        readings = map (file: graph.${file}) files;
        uses = map (reading: reading.extensionName) readings;
      in
      {
        inherit files;
        first = if graph.${unit}.resolved == [ ] then null else builtins.head graph.${unit}.resolved;
        foreign = concatMap (reading: reading.foreign) readings;
        owners = unique (concatMap (reading: reading.owners) readings);
        computed = computesOne found;
        registersModule = any (reading: reading.registersModule) readings;
        seesTargets = any (reading: reading.seesTargets) readings;
        seesPass = any (reading: reading.seesPass) readings;
        extensionName =
          if elem "own" uses then
            "own"
          else if elem "late" uses then
            "late"
          else
            "none";
      };

    /**
      The include graph of all that build.toml names; each file with its own store path, so
      that a header is read once and not for each unit of each variant.

      # Type

      ```
      makeKernelGraph :: { root :: Path; config :: Config; } -> Graph
      ```
    */
    makeKernelGraph =
      { root, config }:
      let
        sections =
          map (name: config.components.${name}) (attrNames config.components)
          ++ optionals config.framework.isCompiled [ config.section ];
        folders = unique (map (paths.join "") (concatMap (section: section.include) sections));
      in
      mapAttrs (file: reading: reading // { inStore = paths.alone (root + "/${file}"); }) (
        self.makeFileGraph {
          inherit root folders;
          start = unique (map (paths.join "") (concatMap (section: section.src) sections));
        }
      );
  };
in
self
