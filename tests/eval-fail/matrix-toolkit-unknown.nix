import ./shared/torch-versions.nix [
  {
    torch = "2.13.0";
    backend = "cuda";
    toolkit = "11.8";
    systems = [ "x86_64-linux" ];
  }
]
