{ matrix, ... }:
let
  inherit (matrix) origins;
  hostOf =
    torch: backend: toolkit: system:
    origins.findTorchHost { inherit torch backend toolkit system ; };
in
{
  torchPins.forSystems = [
    (builtins.attrNames origins.torchPins."2.13.0+cpu")
    [ "aarch64-darwin" "aarch64-linux" "x86_64-linux" ]
  ];
  findTorchHost = {
    withoutAddress = [ (hostOf "2.14.0" "cuda" "13.0" "x86_64-linux") "registry" ];
    withAddress = [ (hostOf "2.13.0" "cpu" null "aarch64-linux") "download.pytorch.org" ];
    withBoth = [ (hostOf "2.13.0" "cpu" null "x86_64-linux") "registry" ];
    withoutPin = [ (hostOf "3.0.0" "cpu" null "x86_64-linux") "download.pytorch.org" ];
    withoutCompiler = [ (hostOf "2.11.0" "tpu" null "x86_64-linux") "registry" ];
  };
  findToolkitHost = {
    archives = [
      (origins.findToolkitHost { backend = "cuda"; toolkit = "12.6"; system = "x86_64-linux"; })
      "developer.download.nvidia.com"
    ];
    wheels = [ (origins.findToolkitHost { backend = "cuda"; toolkit = "13.0"; system = "x86_64-linux"; }) "registry" ];
    macos = [
      (origins.findToolkitHost { backend = "cpu"; toolkit = null; system = "aarch64-darwin"; })
      "developer.apple.com"
    ];
  };
  listHosts.ownWheel = [
    (origins.listHosts {
      torch = "2.14.0";
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
      torch = "2.14.0";
      backend = "cuda";
      toolkit = "13.0";
      ptxas = "12.9";
      system = "x86_64-linux";
    })
    [ "registry" "developer.download.nvidia.com" ]
  ];
}
