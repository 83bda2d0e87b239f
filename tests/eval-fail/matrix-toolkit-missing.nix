import ./shared/torch-versions.nix [
  {
    torch = "2.13.0";
    backend = "rocm";
    systems = [ "x86_64-linux" ];
  }
]
