import ./shared/torch-versions.nix [
  {
    torchVersion = "2.13";
    cpu = true;
    cudaVersion = "13.0";
    systems = [ "x86_64-linux" ];
  }
  {
    torchVersion = "2.13";
    cudaVersion = "13.0";
    ptxasVersion = "11.0";
    systems = [ "x86_64-linux" ];
  }
]
