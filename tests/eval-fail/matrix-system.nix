import ./shared/torch-versions.nix [
  {
    torch = "2.13.0";
    backend = "metal";
    systems = [
      "aarch64-darwin"
      "x86_64-linux"
    ];
  }
]
