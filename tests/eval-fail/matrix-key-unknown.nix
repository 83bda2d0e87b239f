import ./shared/torch-versions.nix [
  {
    torchVersoin = "2.13.0";
    cudaVersion = "13.0";
    systems = [ "x86_64-linux" ];
  }
]
