import ./shared/torch-versions.nix (
  defaults:
  defaults
  ++ [
    {
      torchVersion = "2.13";
      cpu = true;
      systems = [ "x86_64-linux" ];
      wheel = {
        build = "2.13.0+cpu.acme";
        file = "torch-2.13.0+cpu.acme-cp311-cp311-linux_x86_64.whl";
        url = "https://wheels.example/torch.whl";
        hash = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
      };
    }
  ]
)
