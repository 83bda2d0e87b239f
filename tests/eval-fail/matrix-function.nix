import ./shared/torch-versions.nix (defaults: more: defaults)
