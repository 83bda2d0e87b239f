import ./shared/torch-versions.nix [
  {
    torchVersion = "2.13";
    cudaaVersion = "13.0";
    systems = [ ];
  }
]
