# A Markdown table out of its head and its rows.
{ head, rows }:
let
  inherit (builtins) concatStringsSep map replaceStrings;
  # A bar inside a cell would end it.
  cell = replaceStrings [ "|" ] [ "\\|" ];
  line = cells: "| ${concatStringsSep " | " (map cell cells)} |";
in
concatStringsSep "\n" (
  [
    (line head)
    "|${concatStringsSep "|" (map (_: "---") head)}|"
  ]
  ++ map line rows
)
