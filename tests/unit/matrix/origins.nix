{ origins, ... }:
let
  hostsOf =
    torchBuild: backend: toolkit: system:
    origins.listHosts { inherit torchBuild backend toolkit system; ptxas = null; };
in
{
  torchPins.forSystems = [
    (builtins.attrNames origins.torchPins."2.13.0+cpu")
    [ "aarch64-darwin" "aarch64-linux" "x86_64-linux" ]
  ];

  # Also where the toolkit is at its vendor.
  hasTorchInRegistries = {
    ofTorch = [ (origins.hasTorchInRegistries { torchBuild = "2.9.0+cu128"; backend = "cuda"; system = "x86_64-linux"; }) true ];
    atTheVendor = [ (origins.hasTorchInRegistries { torchBuild = "2.9.0+cu126"; backend = "cuda"; system = "x86_64-linux"; }) false ];
  };

  listHosts = {
    registryAlone = [ (hostsOf "2.14.0+cu130" "cuda" "13.0" "x86_64-linux") [ "registry" ] ];
    atTheVendor = [ (hostsOf "2.13.0+cpu" "cpu" null "aarch64-linux") [ "download.pytorch.org" "registry" ] ];
    atBoth = [ (hostsOf "2.13.0+cpu" "cpu" null "x86_64-linux") [ "registry" ] ];
    withoutPin = [ (hostsOf "3.0.0+cpu" "cpu" null "x86_64-linux") [ "download.pytorch.org" "registry" ] ];
    withoutCompiler = [ (hostsOf "2.11.0+tpu" "tpu" null "x86_64-linux") [ "registry" ] ];
    archives = [
      (hostsOf "2.13.0+cu126" "cuda" "12.6" "x86_64-linux")
      [ "download.pytorch.org" "developer.download.nvidia.com" ]
    ];
    ofTheMachine = [ (hostsOf "2.14.0+cpu" "metal" null "aarch64-darwin") [ "registry" "developer.apple.com" ] ];
    ownWheel = [
      (origins.listHosts {
        torchBuild = "2.14.0+rocm72"; backend = "rocm"; toolkit = "7.2"; ptxas = null;
        system = "x86_64-linux"; wheel.hosts = [ "wheels.example" ];
      })
      [ "wheels.example" "repo.radeon.com" ]
    ];
    ptxas = [
      (origins.listHosts {
        torchBuild = "2.14.0+cu130"; backend = "cuda"; toolkit = "13.0"; ptxas = "12.9";
        system = "x86_64-linux";
      })
      [ "registry" "developer.download.nvidia.com" ]
    ];
  };
}
