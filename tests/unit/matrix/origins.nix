{ matrix, ... }:
let
  inherit (matrix) origins;
  hostOf =
    torch: backend: toolkit: system:
    origins.findTorchHost {
      inherit
        torch
        backend
        toolkit
        system
        ;
    };
in
{
  torchPins.forSystems = {
    expr = builtins.attrNames origins.torchPins."2.13.0+cpu";
    expected = [
      "aarch64-darwin"
      "aarch64-linux"
      "x86_64-linux"
    ];
  };
  findTorchHost = {
    withoutAddress = {
      expr = hostOf "2.14.0" "cuda" "13.0" "x86_64-linux";
      expected = "registry";
    };
    withAddress = {
      expr = hostOf "2.13.0" "cpu" null "aarch64-linux";
      expected = "download.pytorch.org";
    };
    withBoth = {
      expr = hostOf "2.13.0" "cpu" null "x86_64-linux";
      expected = "registry";
    };
    withoutPin = {
      expr = hostOf "3.0.0" "cpu" null "x86_64-linux";
      expected = "download.pytorch.org";
    };
    withoutCompiler = {
      expr = hostOf "2.11.0" "tpu" null "x86_64-linux";
      expected = "registry";
    };
  };
  findToolkitHost = {
    archives = {
      expr = origins.findToolkitHost {
        backend = "cuda";
        toolkit = "12.6";
        system = "x86_64-linux";
      };
      expected = "developer.download.nvidia.com";
    };
    wheels = {
      expr = origins.findToolkitHost {
        backend = "cuda";
        toolkit = "13.0";
        system = "x86_64-linux";
      };
      expected = "registry";
    };
    macos = {
      expr = origins.findToolkitHost {
        backend = "cpu";
        toolkit = null;
        system = "aarch64-darwin";
      };
      expected = "developer.apple.com";
    };
  };
  listHosts.ownWheel = {
    expr = origins.listHosts {
      torch = "2.14.0";
      backend = "rocm";
      toolkit = "7.2";
      ptxas = null;
      system = "x86_64-linux";
      wheel.hosts = [ "wheels.example" ];
    };
    expected = [
      "wheels.example"
      "repo.radeon.com"
    ];
  };
  listHosts.ptxas = {
    expr = origins.listHosts {
      torch = "2.14.0";
      backend = "cuda";
      toolkit = "13.0";
      ptxas = "12.9";
      system = "x86_64-linux";
    };
    expected = [
      "registry"
      "developer.download.nvidia.com"
    ];
  };
}
