import ./shared/torch-versions.nix [
  {
    torchVersion = "2.13";
    rocmVersion = null;
    systems = [ "x86_64-linux" ];
  }
]
