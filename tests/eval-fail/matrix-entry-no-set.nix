import ./shared/torch-versions.nix (_: [ "2.13.0" ])
