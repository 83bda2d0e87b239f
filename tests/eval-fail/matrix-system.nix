import ./shared/torch-versions.nix [
  {
    torchVersion = "2.13";
    metal = true;
    systems = [
      "aarch64-darwin"
      "x86_64-linux"
    ];
  }
]
