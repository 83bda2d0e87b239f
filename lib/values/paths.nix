# File names inside a kernel, relative to its root, with `/` between their parts.
#
# The root itself is only ever read: a path that is interpolated would copy the whole
# tree into the store and make it an input of everything.
{ values, ... }:
let
  inherit (builtins)
    concatStringsSep
    filter
    foldl'
    isAttrs
    isString
    length
    mapAttrs
    match
    head
    elemAt
    pathExists
    readDir
    split
    ;
  inherit (values) storeName;

  init = list: builtins.genList (elemAt list) (length list - 1);

  self = {
    /**
      The folder of a file, `""` for the root.

      # Type

      ```
      parent :: String -> String
      ```
    */
    parent =
      file:
      let
        parts = match "(.*)/[^/]*" file;
      in
      if parts == null then "" else head parts;

    /**
      A file's name without its folder.

      # Type

      ```
      base :: String -> String
      ```
    */
    base = file: baseNameOf file;

    /**
      The ending of a file's name, without the dot; `""` if it has none.

      # Type

      ```
      ending :: String -> String
      ```
    */
    ending =
      file:
      let
        parts = match ".*[.]([^./]*)" file;
      in
      if parts == null then "" else head parts;

    /**
      Put a relative name behind a folder and resolve `.` and `..`; null where the result
      lies outside the root.

      # Example

      ```nix
      join "relu_cpu" "../common/vector.h"
      => "common/vector.h"
      ```

      # Type

      ```
      join :: String -> String -> String | Null
      ```
    */
    join =
      folder: name:
      let
        parts = filter (part: isString part && part != "" && part != ".") (split "/" "${folder}/${name}");
        step =
          done: part:
          if done == null then
            null
          else if part != ".." then
            done ++ [ part ]
          else if done == [ ] then
            null
          else
            init done;
        resolved = foldl' step [ ] parts;
      in
      if match "/.*" name != null || resolved == null then null else concatStringsSep "/" resolved;

    /**
      One file or folder as a store path of its own. A path that lies in a flake is part of
      that flake's store path: used as it is, it would make the whole tree an input.

      # Type

      ```
      alone :: Path -> StorePath
      ```
    */
    alone =
      path:
      let
        file = baseNameOf path;
        name = storeName.sanitize file;
      in
      # Put there as it is, a link would lead nowhere.
      if (readDir (dirOf path)).${file} == "symlink" then
        builtins.toFile name (builtins.unsafeDiscardStringContext (builtins.readFile path))
      else
        builtins.path { inherit name path; };

    /**
      Whether `file` is there and is no folder. With the first argument alone it is a lookup
      that lists each folder once.

      # Type

      ```
      isFile :: Path -> String -> Bool
      ```
    */
    isFile =
      root:
      let
        listed =
          path:
          mapAttrs (name: type: if type == "directory" then listed (path + "/${name}") else type) (
            readDir path
          );
        tree = listed root;
        enter =
          place: part:
          if isAttrs place then
            place.${part} or null
          else if place == "symlink" then
            place
          else
            null;
        # A link may lead to a folder or nowhere, and a folder's contents lie behind it.
        isLinked =
          file:
          pathExists (root + "/${file}")
          && (readDir (root + "/${self.parent file}")).${self.base file} != "directory";
      in
      file:
      let
        place = foldl' enter tree (filter (part: isString part && part != "") (split "/" file));
      in
      if place == "symlink" then isLinked file else isString place;

    /**
      All files below a folder, as names relative to the root, sorted; hidden ones left out.

      # Type

      ```
      filesBelow :: Path -> String -> [String]
      ```
    */
    filesBelow =
      root: folder:
      let
        entries = readDir (root + "/${folder}");
        below =
          name:
          let
            file = if folder == "" then name else "${folder}/${name}";
          in
          if match "[.].*" name != null then
            [ ]
          else if entries.${name} == "directory" then
            self.filesBelow root file
          else
            [ file ];
      in
      builtins.concatMap below (builtins.attrNames entries);
  };
in
self
