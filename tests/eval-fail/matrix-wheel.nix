import ./shared/torch-versions.nix (
  map
    (wheel: {
      torchVersion = "2.16";
      cpu = true;
      systems = [ "x86_64-linux" ];
      inherit wheel;
    })
    [
      "torch-2.16.0+cpu-cp311-cp311-linux_x86_64.whl"
      {
        build = "2.16.0+cpu";
        file = "torch-2.16.0+cpu-cp311-cp311-linux_x86_64.whl";
      }
      {
        build = "2.16.0+cpu";
        file = ./no-such-file.whl;
      }
      { flie = ./no-such-file.whl; }
      {
        file = "torch-2.16.0+cpu-cp311-cp311-linux_x86_64.whl";
        url = "http://wheels.example/torch.whl";
      }
      {
        build = "2.16.0+cpu";
        file = "torch-nightly.whl";
        url = "https://wheels.example/torch.whl";
        hash = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
      }
    ]
)
