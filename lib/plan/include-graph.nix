# The files of a kernel that a translation unit includes, found by reading their text while evaluating.
#
# The result may have too many files, because a name is looked up in every include folder of the
# section. A missing file is missing in the build as well, so the compiler stops.
{ values, backends, config, plan, ... }:
let
  inherit (builtins) any attrNames concatMap concatStringsSep elem elemAt filter genericClosure;
  inherit (builtins) genList head length listToAttrs mapAttrs readFile;
  inherit (values) paths;
  inherit (values.attributes) generate;
  inherit (values.lists) follow optionals unique;
  inherit (values.texts) hasPrefix;
  inherit (config) endings;
  inherit (plan.includes) readIncludes;
  inherit (plan.generated) isGenerated;
  inherit (plan.headers) findOwners;

  # `direct`: the kernel's files that the names may refer to; `through`: the folders that the names pass through;
  # `foreign`: the names that refer to no file of the kernel; `owners`: the packages that may contain these.
  summarizeIncludes =
    resolved:
    let
      candidates = concatMap (include: include.candidates) resolved;
      unresolved = filter (include: include.candidates == [ ]) resolved;
    in
    {
      direct = map (candidate: candidate.file) candidates;
      through = unique (concatMap (candidate: candidate.through) candidates);
      foreign = map (include: include.name) unresolved;
      owners = unique (map (include: include.owners) unresolved);
    };

  isUnit = endings.isUnit (attrNames backends.all);

  includeFolders = config: unique (concatMap (section: section.include) config.sections);

  # The folders that `name` enters and leaves again by `..`, below `folder`. Compilers look for each of them.
  listFoldersOnWay =
    folder: name:
    let
      parts = paths.partsOf name;
      indices = genList (index: index) (length parts);
      before = index: paths.join folder (concatStringsSep "/" (genList (elemAt parts) index));
    in
    map before (filter (index: elemAt parts index == "..") indices);

  self = {
    /**
      A Reading of the files `start` and of each file that they include, directly or indirectly. If a file includes a
      macro, the macro may stand for any file in `folders`, beside the file, or in a folder below. The graph gets all of
      these, except for sources in `start` and for files that no compiler reads.

      A file that is neither a source nor a header by its ending may be binary, and Nix cannot read zero bytes. So it is
      not read (`isOpaque`), unless a file includes it by its name. docs/data.md describes the fields.

      Type: makeFileGraph :: { root :: Path; folders :: [String]; start :: [String]; } -> { ${file} :: Reading // {
        direct :: [String]; through :: [String]; foreign :: [String]; owners :: [[String]]; resolved :: [Resolved];
        isListed :: Bool; isOpaque :: Bool; }; }
    */
    makeFileGraph =
      { root, folders, start }:
      let
        isFile = paths.isFile root;
        typeOf = paths.typeOf root;
        isHeader = file: elem (paths.ending file) endings.headers;
        isReadable = file: isHeader file || isUnit file;
        units = generate (filter isUnit start) (_: true);
        describe =
          file: reading: resolved:
          reading
          // summarizeIncludes resolved
          // {
            inherit resolved;
            isListed = units ? ${file};
            isOpaque = false;
          };
        opaque = describe "" (readIncludes "") [ ] // { isOpaque = true; };
        node =
          file:
          let
            reading = readIncludes (readFile (root + "/${file}"));
            parent = paths.parent file;
            # `folder` is null for the folder of the including file.
            candidate =
              name: folder:
              let
                from = if folder == null then parent else folder;
                target = paths.join from name;
                isNew =
                  place:
                  place != null
                  && !hasPrefix "${place}/" file
                  && !hasPrefix "${place}/" target
                  && typeOf place == "directory";
              in
              {
                inherit folder;
                file = target;
                through = filter isNew (listFoldersOnWay from name);
              };
            candidates =
              { quoted, name }:
              filter (
                { file, ... }:
                file != null
                && isFile file
                # A registration.h that `create-pyproject` wrote is the build's, not the kernel's.
                && !(baseNameOf name == "registration.h" && isGenerated (root + "/${file}"))
              ) (map (candidate name) (optionals quoted [ null ] ++ folders));
            resolved = map (include: {
              inherit (include) quoted name;
              candidates = candidates include;
              # Looked up once for all units and variants.
              owners = findOwners include.name;
            }) reading.names;
          in
          { key = file; name = file; value = describe file reading resolved; };
        # The files that a macro may stand for. A key of a folder ends in `/`, so each folder is listed once.
        area = folder: {
          key = "${folder}/";
          files = filter (
            file:
            !(units ? ${file})
            && !elem (paths.ending file) endings.neverIncluded
            # A link may lead to a folder, or to a file that Nix cannot read.
            && (if isHeader file then isFile file else typeOf file == "regular")
          ) (paths.filesBelow root folder);
        };
        nodes = genericClosure {
          startSet = map node (filter isReadable start);
          operator =
            { key, ... }@each:
            if each ? files then
              map node (filter isHeader each.files)
            else
              map node each.value.direct
              ++ optionals each.value.computed (map area (unique ([ (paths.parent key) ] ++ folders)));
        };
        unread = filter (file: !isReadable file) start ++ concatMap (each: each.files or [ ]) nodes;
      in
      generate unread (_: opaque) // listToAttrs (filter (each: each ? value) nodes);

    /**
      The graph if only `folders` are on the include path.

      Type: selectFolders :: [String] -> Graph -> Graph
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
      that includes a macro may include any file of the graph that is no source in `src`. `folders` are the folders that
      the names of these files pass through. `first` is the unit's first include. If the code of the
      unit begins with an include of a header of the kernel, and the code of this header also begins with an include,
      `first` is the header's first include, and `isInside` is true.

      Type: describeReachedFiles :: Graph -> String -> { first :: (Resolved // { isInside :: Bool; }) | Null;
        files :: [String]; folders :: [String]; foreign :: [String]; owners :: [[String]]; computed :: Bool;
        needsName :: Bool; seesTargets :: Bool; seesPass :: Bool; mayNeedOptionalFlags :: Bool; }
    */
    describeReachedFiles =
      graph: unit:
      let
        from = follow (file: graph.${file}.direct);
        computesOne = any (file: graph.${file}.computed);
        found = from [ unit ];
        files =
          if computesOne found then
            from ([ unit ] ++ filter (file: !graph.${file}.isListed) (attrNames graph))
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
          if outer == null then
            null
          else if
            length outer.candidates == 1
            && graph.${unit}.beginsWithInclude
            && graph.${header}.beginsWithInclude
            && inner != null
          then
            inner // { isInside = true; }
          else
            outer // { isInside = false; };
      in
      {
        inherit files first;
        folders = unique (concatMap (reading: reading.through) readings);
        foreign = concatMap (reading: reading.foreign) readings;
        owners = unique (concatMap (reading: reading.owners) readings);
        computed = computesOne found;
        needsName = any (reading: reading.needsName) readings;
        seesTargets = any (reading: reading.seesTargets) readings;
        seesPass = any (reading: reading.seesPass) readings;
        mayNeedOptionalFlags = any (reading: reading.mayNeedOptionalFlags) readings;
      };

    /**
      The places where a file of the kernel would be that its files include, and where nothing is. Such an include means a
      header of a package, or a file of the kernel that git hides from Nix.

      Type: listAbsentFiles :: { config :: Config; graph :: Graph; } -> [String]
    */
    listAbsentFiles =
      { config, graph }:
      let
        folders = includeFolders config;
        foldersOf = file: quoted: optionals quoted [ (paths.parent file) ] ++ folders;
        placesOf = file: { name, quoted, ... }: map (folder: paths.join folder name) (foldersOf file quoted);
        absentIn = file: filter (include: include.candidates == [ ]) graph.${file}.resolved;
        places = concatMap (file: concatMap (placesOf file) (absentIn file)) (attrNames graph);
      in
      filter (place: place != null) (unique places);

    /**
      The include graph of all sources in build.toml. `inStore` is the file in its own store path.

      Type: makeKernelGraph :: { root :: Path; config :: Config; } -> Graph
    */
    makeKernelGraph =
      { root, config }:
      let
        addPath = file: reading: reading // { inStore = paths.alone (root + "/${file}"); };
      in
      mapAttrs addPath (
        self.makeFileGraph {
          inherit root;
          folders = includeFolders config;
          start = unique (concatMap (section: section.src) config.sections);
        }
      );
  };
in
self
