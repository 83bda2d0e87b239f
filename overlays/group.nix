# A folder of packages as an overlay. Each entry is a package whose name follows from that of the
# entry: `kernel-on-path`, or `kernel-on-path.nix`, is `kernelOnPath`; with the prefix `cuda-`, `toolkit` is
# `cudaToolkit`. A `default.nix` is no package: the folder of a backend has its Builder there.
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
{
  folder,
  prefix ? "",
}:
let
  entries = readDir folder;
  isPackage =
    entry: entries.${entry} == "directory" || entry != "default.nix" && match ".*[.]nix" entry != null;

  # Read once, whatever sets are made with it.
  files = listToAttrs (
    map (entry: {
      name = camelCase "${prefix}${head (match "([^.]*).*" entry)}";
      value = folder + "/${entry}";
    }) (filter isPackage (attrNames entries))
  );
in
final: _: mapAttrs (_: file: final.callPackage file { }) files
