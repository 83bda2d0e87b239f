import ./shared/torch-versions.nix (
  defaults:
  defaults ++ [ (builtins.head (builtins.filter (row: builtins.length row.systems > 1) defaults)) ]
)
