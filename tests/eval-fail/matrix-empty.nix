import ./shared/torch-versions.nix (builtins.filter (row: row.torch == "1.0.0"))
