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
  findTorchToolkit =
    let
      toolkitOf =
        torch: backend: toolkit:
        origins.findTorchToolkit { inherit torch backend toolkit; };
    in
    {
      own = {
        expr = toolkitOf "2.15.0" "cuda" "13.2";
        expected = "13.2";
      };
      newest = {
        expr = toolkitOf "2.13.0" "cuda" "13.5";
        expected = "13.2";
      };
      older = {
        expr = toolkitOf "2.14.0" "cuda" "13.4";
        expected = "13.0";
      };
      patchOfToolkit = {
        expr = toolkitOf "2.15.0" "cuda" "13.5.1";
        expected = "13.2";
      };
      # Torch 2.12 and 2.13 are built with 13.2, so this is a build without a pin.
      unknownBuild = {
        expr = toolkitOf "2.14.0" "cuda" "13.2";
        expected = "13.2";
      };
      # 2.9 and older were not.
      beforeAll = {
        expr = toolkitOf "2.9.0" "cuda" "13.2";
        expected = "13.0";
      };
      otherMajor = {
        expr = toolkitOf "2.7.0" "cuda" "13.5";
        expected = "13.5";
      };
      otherBackend = {
        expr = toolkitOf "2.15.0" "rocm" "7.3";
        expected = "7.3";
      };
      none = {
        expr = toolkitOf "2.15.0" "cpu" null;
        expected = null;
      };
    };
  findTorchBuild = {
    ahead = {
      expr = origins.findTorchBuild {
        torch = "2.15.0";
        backend = "cuda";
        toolkit = "13.5";
      };
      expected = "2.15.0+cu132";
    };
    ownWheel = {
      expr = origins.findTorchBuild {
        torch = "2.16.0";
        backend = "cpu";
        toolkit = null;
        wheel.build = "2.16.0.dev20261101+cpu";
      };
      expected = "2.16.0.dev20261101+cpu";
    };
  };
  isToolkitAhead =
    let
      of = torchBuild: origins.isToolkitAhead {
        torch = "2.15.0";
        compute = "cu135";
        inherit torchBuild;
      };
    in
    {
      ahead = {
        expr = of "2.15.0+cu132";
        expected = true;
      };
      itsOwn = {
        expr = of "2.15.0+cu135";
        expected = false;
      };
      ownWheel = {
        expr = origins.isToolkitAhead rec {
          torch = "2.15.0";
          compute = "cu135";
          torchBuild = "2.15.0.dev1+acme";
          wheel.build = torchBuild;
        };
        expected = false;
      };
    };
  knownRows.first = {
    expr = (builtins.head origins.knownRows).torch;
    expected = "2.9.0";
  };
  findTorchHost = {
    ahead = {
      expr = hostOf "2.15.0" "cuda" "13.5" "x86_64-linux";
      expected = "registry";
    };
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
