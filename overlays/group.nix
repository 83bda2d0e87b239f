# An overlay with the packages in a folder. Each entry is a package, named after the entry: `kernel-on-path`, or
# `kernel-on-path.nix`, is `kernelOnPath`; with the prefix `cuda-`, `toolkit` is `cudaToolkit`. A `default.nix` is not
# a package: it is the Builder of a backend.
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

  # Read once for all package sets.
  files = listToAttrs (
    map (entry: {
      name = camelCase "${prefix}${head (match "([^.]*).*" entry)}";
      value = folder + "/${entry}";
    }) (filter isPackage (attrNames entries))
  );
in
final: _: mapAttrs (_: file: final.callPackage file { }) files
