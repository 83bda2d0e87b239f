# Formats a Markdown table.
{ head, rows }:
let
  inherit (builtins) concatStringsSep map replaceStrings;
  # A bar would end the cell.
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
