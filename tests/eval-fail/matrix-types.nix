import ./shared/torch-versions.nix [
  {
    torchVersion = 2.13;
    cpu = "yes";
    systems = "x86_64-linux";
    bundleBuild = "no";
  }
]
