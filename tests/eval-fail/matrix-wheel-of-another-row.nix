import ./shared/torch-versions.nix (
  map
    (file: {
      torch = "2.16.0";
      backend = "cpu";
      systems = [ "x86_64-linux" ];
      wheel = {
        inherit file;
        url = "https://wheels.example/torch.whl";
        hash = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
      };
    })
    [
      "torch-2.15.0+cpu-cp311-cp311-linux_x86_64.whl"
      "torch-2.16.0+cu130-cp311-cp311-linux_x86_64.whl"
      "torch-2.16.0+cpu-cp311-cp311-linux_aarch64.whl"
      "torch-nightly.whl"
    ]
)
