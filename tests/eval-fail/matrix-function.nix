import ./shared/torch-versions.nix (defaults: _: defaults)
