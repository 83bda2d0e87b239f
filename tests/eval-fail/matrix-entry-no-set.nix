import ./shared/torch-versions.nix (defaults: [ "2.13.0" ])
