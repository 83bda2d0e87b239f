import ./shared/torch-versions.nix (
  map
    (wheel: {
      torch = "2.16.0";
      backend = "cpu";
      systems = [ "x86_64-linux" ];
      inherit wheel;
    })
    [
      "torch-2.16.0+cpu-cp311-cp311-linux_x86_64.whl"
      { file = "torch-2.16.0+cpu-cp311-cp311-linux_x86_64.whl"; }
      { file = ./no-such-file.whl; }
      { flie = ./no-such-file.whl; }
      {
        file = "torch-2.16.0+cpu-cp311-cp311-linux_x86_64.whl";
        url = "http://wheels.example/torch.whl";
      }
    ]
)
