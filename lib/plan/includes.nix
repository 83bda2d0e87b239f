# Which files does a translation unit reach? Answered while evaluating, from the
# text alone: no import-from-derivation, and no list that somebody has to keep.
#
# The answer may be too large (an include in a comment or under `#if 0` counts, and a
# name is looked for in every include folder of the component), never too small: what
# the scan cannot find is absent from the build as well, so the compiler stops.
{
  backends,
  endings,
  paths,
  ...
}:
let
  inherit (builtins)
    any
    attrNames
    attrValues
    concatMap
    concatStringsSep
    elem
    elemAt
    filter
    genericClosure
    head
    isList
    length
    listToAttrs
    mapAttrs
    match
    readFile
    split
    ;

  # `#include <x>`, `#include "x"`, `__has_include(<x>)`; group 4 is null where the
  # name is a macro.
  directive = "((^|\n)[ \t]*#[ \t]*(include|include_next|import)|__has_include(_next)?[ \t]*\\()[ \t]*([<\"][^>\"\n]*[>\"])?";

  # The uses of the extension's name that registration.h can serve at link time.
  lateUse = "(TORCH_LIBRARY_EXPAND|TORCH_LIBRARY_IMPL_EXPAND|REGISTER_EXTENSION)[ \t\n]*\\([ \t\n]*TORCH_EXTENSION_NAME[ \t\n]*[,)]";

  # A kernel with macros of its own does not use those of registration.h.
  ownMacro = "#[ \t]*define[ \t]+(TORCH_LIBRARY_EXPAND|TORCH_LIBRARY_IMPL_EXPAND|REGISTER_EXTENSION)";

  # Code that can tell for which targets the whole unit is compiled, of whichever backend.
  targetUse = concatStringsSep "|" (
    filter (pattern: pattern != null) (map (backend: backend.targetUse) (attrValues backends))
  );

  occurrences = pattern: text: length (filter isList (split pattern text));

  # The kernel's own files that includes may mean, and the names that mean none of them.
  found = resolved: {
    direct = concatMap (include: map (candidate: candidate.file) include.candidates) resolved;
    foreign = map (include: include.name) (filter (include: include.candidates == [ ]) resolved);
  };

  isUnit = endings.isUnit { backends = attrNames backends; };

  self = {
    /**
      Read one file: the names it includes, whether one of them is computed (a macro),
      how it uses `TORCH_EXTENSION_NAME`, and whether it can tell its targets.

      # Type

      ```
      scan :: String -> { names :: [{ quoted :: Bool; name :: String; }]; computed :: Bool; extensionName :: "none" | "late" | "own"; registersModule :: Bool; seesTargets :: Bool; }
      ```
    */
    scan =
      text:
      let
        found = map (groups: elemAt groups 4) (filter isList (split directive text));
        literal = filter (name: name != null) found;
        uses = occurrences "TORCH_EXTENSION_NAME" text;
        stable = occurrences "STABLE_TORCH_LIBRARY(_IMPL)?_EXPAND" text;
      in
      {
        names = map (
          written:
          let
            parts = match "([<\"])(.*)[>\"]" written;
          in
          {
            quoted = head parts == "\"";
            name = elemAt parts 1;
          }
        ) literal;
        computed = length literal != length found;
        extensionName =
          if occurrences ownMacro text > 0 then
            "own"
          else if uses == 0 then
            "none"
          else if stable == 0 && uses == occurrences lateUse text then
            "late"
          else
            "own";
        registersModule = occurrences "REGISTER_EXTENSION[ \t\n]*\\(" text > 0;
        seesTargets = occurrences targetUse text > 0;
      };

    /**
      Scan all that the files `start` reach inside the kernel: an attribute set from file
      to its scan, with the files that it includes directly as `direct` and the names that
      are not the kernel's own as `foreign`. Where one of them computes a name, it may mean any
      header in `folders`, so these are there as well. `resolved` says in which folder each
      file was found.

      # Type

      ```
      graph :: { root :: Path; folders :: [String]; start :: [String]; } -> { ${file} :: Scan // { direct :: [String]; foreign :: [String]; resolved :: [Resolved]; }; }
      ```
    */
    graph =
      {
        root,
        folders,
        start,
      }:
      let
        isHeader = file: elem (paths.extension file) endings.headers && paths.isFile root file;
        node =
          file:
          let
            scanned = self.scan (readFile (root + "/${file}"));
            own = paths.parent file;
            # `folder` is null for the file's own one.
            candidates =
              { quoted, name }:
              filter (candidate: candidate.file != null && paths.isFile root candidate.file) (
                (
                  if quoted then
                    [
                      {
                        folder = null;
                        file = paths.join own name;
                      }
                    ]
                  else
                    [ ]
                )
                ++ map (folder: {
                  inherit folder;
                  file = paths.join folder name;
                }) folders
              );
            resolved = map (include: {
              inherit (include) name;
              candidates = candidates include;
            }) scanned.names;
          in
          {
            key = file;
            value = scanned // found resolved // { inherit resolved; };
          };
        from =
          files:
          genericClosure {
            startSet = map node files;
            operator = { value, ... }: map node value.direct;
          };
        reached = from start;
        # Folders are only looked through where it matters: one may hold all that a kernel has.
        headers = filter isHeader (concatMap (paths.filesBelow root) folders);
      in
      listToAttrs (
        map (
          { key, value }:
          {
            name = key;
            inherit value;
          }
        ) (if any ({ value, ... }: value.computed) reached then from (start ++ headers) else reached)
      );

    /**
      A graph as units see it that have only `folders` on their include path.

      # Type

      ```
      within :: [String] -> Graph -> Graph
      ```
    */
    within =
      folders: graph:
      let
        isSeen = candidate: candidate.folder == null || elem candidate.folder folders;
        see = include: include // { candidates = filter isSeen include.candidates; };
      in
      mapAttrs (_: scanned: scanned // found (map see scanned.resolved)) graph;

    /**
      Everything that one unit reaches in a graph, itself first. A computed include may
      mean any header of the graph.

      # Type

      ```
      reach :: Graph -> String -> { files :: [String]; foreign :: [String]; computed :: Bool; extensionName :: String; registersModule :: Bool; seesTargets :: Bool; }
      ```
    */
    reach =
      graph: unit:
      let
        from =
          start:
          map (entry: entry.key) (genericClosure {
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
        scans = map (file: graph.${file}) files;
        uses = map (scanned: scanned.extensionName) scans;
      in
      {
        inherit files;
        foreign = concatMap (scanned: scanned.foreign) scans;
        computed = computesOne found;
        registersModule = any (scanned: scanned.registersModule) scans;
        seesTargets = any (scanned: scanned.seesTargets) scans;
        extensionName =
          if elem "own" uses then
            "own"
          else if elem "late" uses then
            "late"
          else
            "none";
      };
  };
in
self
