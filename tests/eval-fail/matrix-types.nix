import ./shared/torch-versions.nix [
  {
    torch = 2.13;
    backend = "cpu";
    systems = "x86_64-linux";
    bundle = "no";
  }
]
