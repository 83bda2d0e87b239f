{ matrix, ... }:
let
  inherit (matrix) origins;
  hostOf = torchBuild: backend: system: origins.findTorchHost { inherit torchBuild backend system; };
in
{
  torchPins.forSystems = [
    (builtins.attrNames origins.torchPins."2.13.0+cpu")
    [ "aarch64-darwin" "aarch64-linux" "x86_64-linux" ]
  ];
  findTorchHost = {
    withoutAddress = [ (hostOf "2.14.0+cu130" "cuda" "x86_64-linux") "registry" ];
    withAddress = [ (hostOf "2.13.0+cpu" "cpu" "aarch64-linux") "download.pytorch.org" ];
    withBoth = [ (hostOf "2.13.0+cpu" "cpu" "x86_64-linux") "registry" ];
    withoutPin = [ (hostOf "3.0.0+cpu" "cpu" "x86_64-linux") "download.pytorch.org" ];
    withoutCompiler = [ (hostOf "2.11.0+tpu" "tpu" "x86_64-linux") "registry" ];
  };
  findToolkitHost = {
    archives = [
      (origins.findToolkitHost { backend = "cuda"; toolkit = "12.6"; })
      "developer.download.nvidia.com"
    ];
    wheels = [ (origins.findToolkitHost { backend = "cuda"; toolkit = "13.0"; }) "registry" ];
    none = [
      (map (backend: origins.findToolkitHost { inherit backend; toolkit = null; }) [ "cpu" "metal" ])
      [ "registry" "developer.apple.com" ]
    ];
  };
  listHosts.ownWheel = [
    (origins.listHosts {
      torchBuild = "2.14.0+rocm72";
      backend = "rocm";
      toolkit = "7.2";
      ptxas = null;
      system = "x86_64-linux";
      wheel.hosts = [ "wheels.example" ];
    })
    [ "wheels.example" "repo.radeon.com" ]
  ];
  listHosts.ptxas = [
    (origins.listHosts {
      torchBuild = "2.14.0+cu130";
      backend = "cuda";
      toolkit = "13.0";
      ptxas = "12.9";
      system = "x86_64-linux";
    })
    [ "registry" "developer.download.nvidia.com" ]
  ];
}
