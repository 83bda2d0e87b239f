import ./shared/torch-versions.nix [
  {
    torchVersion = "2.13";
    cudaVersion = "11.8";
    systems = [ "x86_64-linux" ];
  }
]
