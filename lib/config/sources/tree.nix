# Checks that the paths in build.toml exist inside the kernel's folder.
#
# The root is only joined with relative names: interpolating it into a string would copy the whole
# tree to the store and make it an input of every derivation. All symbolic links are refused, since
# Nix cannot tell a link that leaves the tree from one that stays in it.
{ values, messages, ... }:
let
  inherit (builtins) attrNames concatMap foldl' isAttrs match stringLength substring;
  inherit (values) paths;
  inherit (values.lists) optional;
  inherit (messages.catalogue) readCatalogue;
  inherit (messages.commands) writeGitCommand;
  inherit (messages.spelling) findClosestWord;

  problems = readCatalogue ./tree.json;

  kinds = {
    directory = "a folder";
    regular = "a file";
    symlink = "a symbolic link";
    unknown = "neither a file nor a folder";
  };

  # A function from a path to the place where it ends: its `path`, its `entry` in the folder (a set if it is a folder
  # itself) and the names beside it. A path that leads nowhere ends at the first part that is missing or no folder.
  lookupIn =
    root:
    let
      enter =
        place: part:
        if !isAttrs place.entry then
          place
        else
          {
            path = if place.path == "" then part else "${place.path}/${part}";
            entry = place.entry.${part} or "missing";
            siblings = attrNames place.entry;
          };
      start = {
        path = "";
        entry = paths.readTree root;
        siblings = [ ];
      };
    in
    path:
    let
      place = foldl' enter start (paths.partsOf path);
    in
    place // { type = if isAttrs place.entry then "directory" else place.entry; };

  # All links and special files below a path, hidden ones included.
  listSpecial =
    path: entry:
    if isAttrs entry then
      concatMap (name: listSpecial "${path}/${name}" entry.${name}) (attrNames entry)
    else
      optional (entry == "symlink" || entry == "unknown") { inherit path; type = entry; };

  checkPath =
    root: lookup:
    { at, path, written, wanted, ... }:
    let
      place = lookup path;
      closest = findClosestWord { candidates = place.siblings; } (baseNameOf place.path);
      missing =
        if match ".*[*?[{].*" path != null then
          problems.pattern
        else if paths.isInStore root then
          if closest == null then problems.missing-in-git else problems.misspelt-in-git
        else if closest == null then
          problems.missing
        else
          problems.misspelt;
      problem =
        if written == "" then
          problems.empty
        else if substring 0 1 written == "/" then
          problems.absolute
        else if match "[^-\n][^\n]*" written == null then
          problems.option
        else if path == null then
          problems.outside
        else if place.type == "missing" then
          missing
        else if place.type == "symlink" then
          problems.link
        else if place.type != wanted || place.path != path then
          problems.other-kind
        else
          null;
    in
    optional (problem != null) (problem {
      inherit at written;
      inherit (place) path;
      kind = kinds.${wanted};
      found = kinds.${place.type};
      add = writeGitCommand path;
      # The whole path with one corrected part, so that it can be pasted.
      guess =
        paths.join (paths.parent place.path) closest
        + substring (stringLength place.path) (stringLength path) path;
    });
in
{
  /**
    Problems of entries that name files (`wanted = "regular"`) and folders (`wanted = "directory"`) below `root`. An
    entry has the place `at`, the text that is `written` there, and the `path` that it means, or null outside the root.

    Type: checkPaths :: Path -> [Entry] -> [Problem]
  */
  checkPaths =
    root:
    concatMap (checkPath root (lookupIn root));

  /**
    Problems of files and folders that are published unchanged: symbolic links, pipes, sockets and
    devices. Nix would copy a link, and a program that follows it later reads a file of its own machine.

    Type: checkPublishedPaths :: Path -> [String] -> [Problem]
  */
  checkPublishedPaths =
    root: names:
    let
      lookup = lookupIn root;
      specialOf =
        name:
        let
          place = lookup name;
        in
        listSpecial place.path place.entry;
    in
    map ({ path, type }: problems.published { at = path; found = kinds.${type}; }) (
      concatMap specialOf names
    );
}
