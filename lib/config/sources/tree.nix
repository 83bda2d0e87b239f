# Checks that the paths in build.toml exist inside the kernel's folder.
#
# The root is only joined with relative names: interpolating it into a string would copy the whole
# tree to the store and make it an input of every derivation. All symbolic links are refused, since
# Nix cannot tell a link that leaves the tree from one that stays in it.
{ values, messages, ... }:
let
  inherit (builtins) attrNames concatMap filter foldl' isAttrs isString match split stringLength substring toJSON;
  inherit (values) paths;
  inherit (values.lists) optionals;
  inherit (messages.commands) writeGitCommand;
  inherit (messages.spelling) findClosestWord;

  kinds = {
    directory = "a folder";
    regular = "a file";
    symlink = "a symbolic link";
    unknown = "neither a file nor a folder";
  };

  partsOf = path: filter (part: isString part && part != "") (split "/" path);

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
      place = foldl' enter start (partsOf path);
    in
    place // { type = if isAttrs place.entry then "directory" else place.entry; };

  missingFix =
    root: path: place:
    let
      name = findClosestWord { candidates = place.siblings; } (baseNameOf place.path);
      # The whole path with one corrected part, so that it can be pasted.
      guess = toJSON "${paths.join (paths.parent place.path) name}${substring (stringLength place.path) (stringLength path) path}";
      add = "`${writeGitCommand path}`";
    in
    if name != null && paths.isInStore root then
      "did you mean ${guess}? If the file is there, git does not know it: ${add}"
    else if name != null then
      "did you mean ${guess}?"
    else if paths.isInStore root then
      "git does not know it, or it is not there: ${add}, or correct the path"
    else
      "create it, or correct the path";

  # All links and special files below a path, hidden ones included.
  listSpecial =
    path: entry:
    if isAttrs entry then
      concatMap (name: listSpecial "${path}/${name}" entry.${name}) (attrNames entry)
    else
      optionals (entry == "symlink" || entry == "unknown") [
        { inherit path; type = entry; }
      ];

  # The problem of one entry, or null.
  problemOf =
    root: lookup:
    { path, written, wanted, ... }:
    let
      place = lookup path;
      kind = kinds.${wanted};
    in
    if written == "" then
      {
        found = "an empty string";
        want = "the path of ${kind}";
        fix = "write the path, or delete the entry";
      }
    else if substring 0 1 written == "/" then
      {
        found = "the absolute path ${toJSON written}";
        want = "a path relative to the kernel's folder";
        fix = "move it into the kernel's folder and write its path there";
      }
    else if match "[^-\n][^\n]*" written == null then
      {
        found = "${toJSON written}, which compilers would read as an option or as several names";
        want = "a path of one line that does not begin with `-`";
        fix = "rename the file or folder";
      }
    else if path == null then
      {
        found = "${toJSON written}, which is outside the kernel's folder";
        want = "a path inside the kernel's folder";
        fix = "move it into the kernel's folder and write its path there";
      }
    else if place.type == "missing" && match ".*[*?[{].*" path != null then
      {
        found = "${toJSON written}, which is a pattern, and no path of that name exists";
        want = "${kind}: build.toml has no patterns";
        fix = "list each file by itself, or list one that includes the others";
      }
    else if place.type == "missing" then
      {
        found = "${toJSON written}, which does not exist";
        want = kind;
        fix = missingFix root path place;
      }
    else if place.type == "symlink" then
      {
        found = "${toJSON place.path}, which is a symbolic link";
        want = "${kind} without symbolic links on the way: they may lead out of the kernel's folder";
        fix = "put the file or folder itself there";
      }
    else if place.type != wanted || place.path != path then
      {
        found = "${toJSON place.path}, which is ${kinds.${place.type}}";
        want = kind;
        fix = "correct the path";
      }
    else
      null;
in
{
  /**
    Problems of entries that name files (`wanted = "regular"`) and folders (`wanted = "directory"`) below `root`. An
    entry has the place `at`, the text that is `written` there, and the `path` that it means, or null outside the root.

    Type: checkPaths :: { root :: Path; } -> [Entry] -> [Problem]
  */
  checkPaths =
    { root }:
    let
      lookup = lookupIn root;
      problemsOf =
        entry:
        let
          problem = problemOf root lookup entry;
        in
        optionals (problem != null) [ (problem // { inherit (entry) at; }) ];
    in
    concatMap problemsOf;

  /**
    Problems of files and folders that are published unchanged: symbolic links, pipes, sockets and
    devices. Nix would copy a link, and a program that follows it later reads a file of its own machine.

    Type: checkPublishedPaths :: { root :: Path; } -> [String] -> [Problem]
  */
  checkPublishedPaths =
    { root }:
    names:
    let
      lookup = lookupIn root;
      specialOf =
        name:
        let
          place = lookup name;
        in
        listSpecial place.path place.entry;
    in
    map (special: {
      at = special.path;
      found = kinds.${special.type};
      want = "files and folders: the folder is published as it is, and a link leads elsewhere there";
      fix = "put a copy of the file or folder in its place, or remove it";
    }) (concatMap specialOf names);
}
