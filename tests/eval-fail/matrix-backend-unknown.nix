import ./shared/torch-versions.nix (map (row: row // { backend = "cudaa"; }) [ { torch = "2.13.0"; systems = [ ]; } ])
