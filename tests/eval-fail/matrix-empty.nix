import ./shared/torch-versions.nix (builtins.filter (row: row.torchVersion == "1.0"))
