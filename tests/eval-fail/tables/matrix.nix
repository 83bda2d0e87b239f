# The rows that a flake's `torchVersions` returns.
let
  inherit ((import ../../../lib).matrix) torchBuilds;
  inherit (torchBuilds) default;
  row = { torchVersion = "2.13"; systems = [ "x86_64-linux" ]; };
  next = row // { torchVersion = "2.16"; cpu = true; };
  build = "2.16.0+cpu";
  file = "torch-2.16.0+cpu-cp311-cp311-linux_x86_64.whl";
  url = "https://wheels.example/torch.whl";
  hash = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
in
builtins.mapAttrs (_: rows: (torchBuilds.inspectRows rows).problems) {
  function = _: default;
  no-list = builtins.head default;
  empty = [ ];
  rows = [
    "2.13.0"
    (row // { cudaaVersion = "13.0"; })
    { torchVersoin = "2.13.0"; cudaVersion = "13.0"; systems = [ "x86_64-linux" ]; }
    (row // { cpu = true; cudaVersion = "13.0"; })
    (row // { cudaVersion = "13.0"; ptxasVersion = "11.0"; })
    (row // { metal = true; systems = [ "aarch64-darwin" "x86_64-linux" ]; })
    (row // { rocmVersion = null; })
    (row // { cudaVersion = "11.8"; })
    {
      torchVersion = 2.13;
      cpu = "yes";
      systems = "x86_64-linux";
      bundleBuild = "no";
      cxx11Abi = false;
    }
  ];
  twice = default ++ [ (builtins.head (builtins.filter (row: builtins.length row.systems > 1) default)) ];
  wheels = map (wheel: next // { inherit wheel; }) [
    file
    { inherit build file; }
    { inherit build; file = ./no-such-file.whl; }
    { flie = ./no-such-file.whl; }
    { inherit file; url = "http://wheels.example/torch.whl"; }
    { inherit build url hash; file = "torch-nightly.whl"; }
  ];
  wheel-of-a-known-build = default ++ [
    (
      row
      // {
        cpu = true;
        wheel = {
          inherit url hash;
          build = "2.13.0+cpu.acme";
          file = "torch-2.13.0+cpu.acme-cp311-cp311-linux_x86_64.whl";
        };
      }
    )
  ];
}
