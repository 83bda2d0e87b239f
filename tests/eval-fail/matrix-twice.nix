import ./shared/torch-versions.nix (defaults: defaults ++ [ (builtins.head defaults) ])
