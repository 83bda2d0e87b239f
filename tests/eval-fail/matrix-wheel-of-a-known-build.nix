import ./shared/torch-versions.nix (
  defaults:
  defaults
  ++ [
    {
      torch = "2.13.0";
      backend = "cpu";
      systems = [ "x86_64-linux" ];
      wheel = {
        file = "torch-2.13.0+cpu.acme-cp311-cp311-linux_x86_64.whl";
        url = "https://wheels.example/torch.whl";
        hash = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
      };
    }
  ]
)
