# A group of packages as an overlay. Each entry of the group's folder is a package, whose name
# follows from that of the entry: `kernel-on-path`, or `kernel-on-path.nix`, is `kernelOnPath`.
let
  inherit (builtins)
    attrNames
    filter
    genList
    head
    listToAttrs
    mapAttrs
    match
    readDir
    replaceStrings
    stringLength
    substring
    ;

  letters = text: genList (at: substring at 1 text) (stringLength text);
  camelCase = replaceStrings (map (letter: "-${letter}") (letters "abcdefghijklmnopqrstuvwxyz")) (
    letters "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
  );
in
folder:
let
  entries = readDir folder;
  isPackage = entry: entries.${entry} == "directory" || match ".*[.]nix" entry != null;

  # Read once, whatever sets are made with it.
  files = listToAttrs (
    map (entry: {
      name = camelCase (head (match "([^.]*).*" entry));
      value = folder + "/${entry}";
    }) (filter isPackage (attrNames entries))
  );
in
final: _: mapAttrs (_: file: final.callPackage file { }) files
