import ./shared/torch-versions.nix (defaults: builtins.head defaults)
