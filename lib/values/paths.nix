# File names inside a kernel, relative to its root, with `/` between their parts.
#
# The root is only read, and never interpolated into a string: that would copy the whole tree to the
# store and make it an input of every derivation.
{ values, ... }:
let
  inherit (builtins) concatStringsSep filter foldl' isAttrs isString length mapAttrs match;
  inherit (builtins) elemAt genList pathExists readDir split;
  inherit (values) storeName;
  inherit (values.texts) capture hasPrefix;

  isPart = part: isString part && part != "" && part != ".";
  enter =
    place: part: place.${part} or (if place == "symlink" then place else null);

  self = {
    /**
      The folder of a file, `""` for the root.

      Type: parent :: String -> String
    */
    parent = capture "" "(.*)/[^/]*";

    /**
      The place of a file or folder within its repository or flake, which Nix has copied into the store as a whole; a
      path elsewhere stays as it is.

      # Example

      ```nix
      placeOf "/nix/store/pxi…-source/kernels/relu"
      => "kernels/relu"
      ```

      Type: placeOf :: Path | String -> String
    */
    placeOf =
      path: capture (toString path) "${builtins.storeDir}/[^/]*/?(.*)" (toString path);

    /**
      Whether a path is in the store, where links lead to files that are in it as well.

      Type: isInStore :: Path | String -> Bool
    */
    isInStore = path: hasPrefix "${builtins.storeDir}/" (toString path);

    /**
      The ending of a file's name, without the dot; `""` if it has none.

      Type: ending :: String -> String
    */
    ending = capture "" ".*[.]([^./]*)";

    /**
      The names of the folders and of the file on a path, without `.`.

      Type: partsOf :: String -> [String]
    */
    partsOf = path: filter isPart (split "/" path);

    /**
      A relative name below a folder, with `.` and `..` resolved; null if the result is outside the
      root.

      # Example

      ```nix
      join "relu_cpu" "../common/vector.h"
      => "common/vector.h"
      ```

      Type: join :: String -> String -> String | Null
    */
    join =
      folder: name:
      let
        parts = self.partsOf "${folder}/${name}";
        step =
          done: part:
          if done == null then
            null
          else if part != ".." then
            done ++ [ part ]
          else if done == [ ] then
            null
          else
            genList (elemAt done) (length done - 1);
        resolved = foldl' step [ ] parts;
      in
      if match "/.*" name != null || resolved == null then null else concatStringsSep "/" resolved;

    /**
      A file or folder as its own store path. A path inside a flake is a part of the flake's store
      path, so using it directly would make the whole tree an input.

      Type: alone :: Path -> StorePath
    */
    alone =
      path:
      let
        file = baseNameOf path;
        name = storeName.sanitize file;
      in
      # A copied link would lead nowhere, so the file's content is copied.
      if (readDir (dirOf path)).${file} == "symlink" then
        builtins.toFile name (builtins.unsafeDiscardStringContext (builtins.readFile path))
      else
        builtins.path { inherit name path; };

    /**
      The entries of a folder: a name has a type, as `readDir` names it, or the entries of a folder, which are read when
      they are needed. Apply the function to a folder once and reuse the result.

      Type: readTree :: Path -> { ${name} :: String | AttrSet; }
    */
    readTree =
      folder:
      mapAttrs (name: type: if type == "directory" then self.readTree (folder + "/${name}") else type) (
        readDir folder
      );

    /**
      The entry at a path of a tree that `readTree` read, or null if there is none. Everything below a link is
      "symlink".

      Type: entryIn :: { ${name} :: String | AttrSet; } -> String -> String | AttrSet | Null
    */
    entryIn = tree: path: foldl' enter tree (self.partsOf path);

    /**
      The type of a file, as `readDir` names it, or null if there is none. The type of everything below a link is
      "symlink". Apply the function to the root once and reuse the result, which reads each folder only once.

      Type: typeOf :: Path -> String -> String | Null
    */
    typeOf =
      root:
      let
        tree = self.readTree root;
      in
      file:
      let
        entry = self.entryIn tree file;
      in
      if isAttrs entry then "directory" else entry;

    /**
      Whether `file` exists and is not a folder. Apply the function to the root once and reuse the result.

      Outside of the store, links do not count: Nix would follow them to any file of the machine.

      Type: isFile :: Path -> String -> Bool
    */
    isFile =
      root:
      let
        typeOf = self.typeOf root;
        # A link may lead to a file, to a folder, or nowhere.
        isLinked =
          file:
          pathExists (root + "/${file}")
          && (readDir (root + "/${self.parent file}")).${baseNameOf file} != "directory";
      in
      file:
      let
        type = typeOf file;
      in
      if type == "symlink" then self.isInStore root && isLinked file else type != null && type != "directory";

    /**
      All files below a folder, as sorted names relative to the root, without hidden files.

      Type: filesBelow :: Path -> String -> [String]
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
