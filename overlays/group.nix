# An overlay with the packages in a folder. Each entry is a package, named after the entry: `kernel-on-path`, or
# `kernel-on-path.nix`, is `kernelOnPath`; with the prefix `cuda-`, `toolkit` is `cudaToolkit`. A `default.nix` is not
# a package: it is the Builder of a backend.
let
  inherit (builtins) match;

  letters = text: builtins.genList (at: builtins.substring at 1 text) (builtins.stringLength text);
  camelCase = builtins.replaceStrings (map (letter: "-${letter}") (letters "abcdefghijklmnopqrstuvwxyz")) (
    letters "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
  );
in
{ folder, prefix ? "" }:
let
  entries = builtins.readDir folder;
  isPackage =
    entry: entries.${entry} == "directory" || entry != "default.nix" && match ".*[.]nix" entry != null;

  # Read once for all package sets.
  files = builtins.listToAttrs (
    map (entry: {
      name = camelCase "${prefix}${builtins.head (match "([^.]*).*" entry)}";
      value = folder + "/${entry}";
    }) (builtins.filter isPackage (builtins.attrNames entries))
  );
in
final: _: builtins.mapAttrs (_: file: final.callPackage file { }) files
