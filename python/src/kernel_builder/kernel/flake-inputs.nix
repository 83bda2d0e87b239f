# The inputs of a flake whose path leads out of the flake's folder, with the folders that they lead to. An input that
# flake.lock holds to something else is not one of them.
flake:
let
  inherit (builtins)
    attrNames
    elemAt
    filter
    fromJSON
    isString
    listToAttrs
    match
    pathExists
    readFile
    stringLength
    substring
    ;
  root = "${toString flake}/";
  inputs = (import (flake + "/flake.nix")).inputs or { };
  lock = if pathExists (flake + "/flake.lock") then fromJSON (readFile (flake + "/flake.lock")) else { };
  leadsOut = folder: substring 0 (stringLength root) "${folder}/" != root;
  # Nix locks such a path as it is written.
  isHeldElsewhere =
    name:
    let
      node = lock.nodes.${lock.root}.inputs.${name} or null;
      locked = if isString node then lock.nodes.${node}.locked or { path = "."; } else { path = "."; };
    in
    substring 0 1 (locked.path or "/") == "/";
  folderOf =
    input: toString (flake + "/${elemAt (match "(path:)?(.*)" (toString (input.url or input.path or ""))) 1}");
in
listToAttrs (
  filter (each: leadsOut each.value && !isHeldElsewhere each.name) (
    map (name: {
      inherit name;
      value = folderOf inputs.${name};
    }) (attrNames inputs)
  )
)
