# The files of a kernel that a translation unit includes, found by reading their text while evaluating.
#
# The result may have too many files, because a name is looked up in every include folder of the
# component. A missing file is missing in the build as well, so the compiler stops.
{ values, backends, platforms, plan, ... }:
let
  inherit (builtins)
    any
    attrNames
    attrValues
    baseNameOf
    concatMap
    elem
    filter
    genericClosure
    head
    length
    listToAttrs
    mapAttrs
    readFile
    toFile
    unsafeDiscardStringContext
    ;
  inherit (values) lists paths storeName;
  inherit (values.lists) optionals;
  inherit (platforms) endings;
  inherit (plan.comments) removeComments;
  inherit (plan.includes) readIncludes;
  inherit (plan.headers) findOwners;
  inherit (lists) unique;

  # `direct`: the kernel's files that the names may refer to; `foreign`: the names that refer to no file of the kernel;
  # `owners`: the packages that may contain the foreign headers.
  summarizeIncludes =
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
  isEmbedded =
    file:
    any (backend: backend.languages.${paths.ending file}.isEmbedded or false) (attrValues backends.all);

  self = {
    /**
      A Reading of the files `start` and of each file that they include, directly or indirectly. If a file includes a
      macro, the macro may stand for any header in `folders`, so the graph gets all headers in `folders`. docs/data.md
      describes the fields.

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
            parent = paths.parent file;
            # `folder` is null for the folder of the including file.
            candidates =
              { quoted, name }:
              filter (candidate: candidate.file != null && isFile candidate.file) (
                (
                  optionals quoted [
                    {
                      folder = null;
                      file = paths.join parent name;
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
              # Looked up once for all units and variants.
              owners = findOwners include.name;
            }) reading.names;
          in
          {
            key = file;
            value = reading // summarizeIncludes resolved // { inherit resolved; };
          };
        from =
          files:
          genericClosure {
            startSet = map node files;
            operator = { value, ... }: map node value.direct;
          };
        reached = from start;
        # Lazy, because a folder may hold the whole kernel.
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
      The graph if only `folders` are on the include path.

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
      mapAttrs (_: reading: reading // summarizeIncludes (map see reading.resolved)) graph;

    /**
      The files that a unit includes, beginning with the unit itself, and the facts of all these files combined. A unit
      that includes a macro may include any header of the graph. `first` is the unit's first include. If the code of the
      unit begins with an include of a header of the kernel, and the code of this header also begins with an include,
      `first` is the header's first include, and `isInside` is true.

      # Type

      ```
      describeReachedFiles :: Graph -> String -> { first :: (Resolved // { isInside :: Bool; }) | Null; files :: [String]; foreign :: [String]; owners :: [[String]]; computed :: Bool; needsName :: Bool; seesTargets :: Bool; seesPass :: Bool; mayNeedOptionalFlags :: Bool; }
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
        firstOf = file: if graph.${file}.resolved == [ ] then null else head graph.${file}.resolved;
        first =
          let
            outer = firstOf unit;
            header = (head outer.candidates).file;
            inner = firstOf header;
          in
          if
            outer != null
            && length outer.candidates == 1
            && graph.${unit}.beginsWithInclude
            && graph.${header}.beginsWithInclude
            && inner != null
          then
            inner // { isInside = true; }
          else if outer == null then
            null
          else
            outer // { isInside = false; };
      in
      {
        inherit files;
        inherit first;
        foreign = concatMap (reading: reading.foreign) readings;
        owners = unique (concatMap (reading: reading.owners) readings);
        computed = computesOne found;
        needsName = any (reading: reading.needsName) readings;
        seesTargets = any (reading: reading.seesTargets) readings;
        seesPass = any (reading: reading.seesPass) readings;
        mayNeedOptionalFlags = any (reading: reading.mayNeedOptionalFlags) readings;
      };

    /**
      The include graph of all sources in build.toml. `inStore` is the file in its own store path. `compiled` is the
      store path that compilers read: `inStore`, or with `ignoreComments` a copy without comments that fill whole lines.

      # Type

      ```
      makeKernelGraph :: { root :: Path; config :: Config; ignoreComments :: Bool ? false; } -> Graph
      ```
    */
    makeKernelGraph =
      {
        root,
        config,
        ignoreComments ? false,
      }:
      let
        addPaths =
          file: reading:
          let
            path = root + "/${file}";
            inStore = paths.alone path;
            # Shaders may be embedded as they are.
            isChanged = ignoreComments && !isEmbedded file;
          in
          reading
          // {
            inherit inStore;
            compiled =
              if isChanged then
                toFile (storeName.sanitize (baseNameOf file)) (
                  unsafeDiscardStringContext (removeComments (readFile path))
                )
              else
                inStore;
          };
        sections =
          map (name: config.components.${name}) (attrNames config.components)
          ++ optionals config.framework.isCompiled [ config.section ];
        folders = unique (map (paths.join "") (concatMap (section: section.include) sections));
      in
      mapAttrs addPaths (
        self.makeFileGraph {
          inherit root folders;
          start = unique (map (paths.join "") (concatMap (section: section.src) sections));
        }
      );
  };
in
self
