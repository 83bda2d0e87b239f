{ matrix, ... }:
let
  inherit (matrix) names;
  base = {
    torch = "2.13.0";
    backend = "cuda";
    toolkit = "13.0";
    system = "x86_64-linux";
  };
  cpu = base // {
    backend = "cpu";
    toolkit = null;
  };
in
{
  nameCompute = {
    cpu = {
      expr = names.nameCompute {
        backend = "cpu";
        toolkit = null;
      };
      expected = "cpu";
    };
    cuda = {
      expr = names.nameCompute {
        backend = "cuda";
        toolkit = "12.6";
      };
      expected = "cu126";
    };
    rocm = {
      expr = names.nameCompute {
        backend = "rocm";
        toolkit = "7.2.1";
      };
      expected = "rocm72";
    };
    xpu = {
      expr = names.nameCompute {
        backend = "xpu";
        toolkit = "2025.3";
      };
      expected = "xpu20253";
    };
    metal = {
      expr = names.nameCompute {
        backend = "metal";
        toolkit = null;
      };
      expected = "metal";
    };
  };
  nameVariant = {
    linux = {
      expr = names.nameVariant base;
      expected = "torch213-cxx11-cu130-x86_64-linux";
    };
    darwin = {
      expr = names.nameVariant (
        cpu
        // {
          torch = "2.11.0";
          backend = "metal";
          system = "aarch64-darwin";
        }
      );
      expected = "torch211-metal-aarch64-darwin";
    };
    stableAbi = {
      expr = names.nameVariant (base // { stableAbi = "2.11"; });
      expected = "torch-stable-abi211-cu130-x86_64-linux";
    };
    tvmFfi = {
      expr = names.nameVariant (base // { framework = "tvm-ffi"; });
      expected = "tvm-ffi01-cu130-x86_64-linux";
    };
  };
  nameNoarchVariant.asTheClientLooksForIt = {
    expr = names.nameNoarchVariant { backend = "cann"; };
    expected = "torch-npu";
  };
  nameNoarchVariant.perBackend = {
    expr = names.nameNoarchVariant { backend = "xpu"; };
    expected = "torch-xpu";
  };
  nameTorchBuild.ofItsOwnWheel = {
    expr = names.nameTorchBuild {
      torch = "2.16.0";
      compute = "cpu";
      wheel.build = "2.16.0.dev20261101+cpu";
    };
    expected = "2.16.0.dev20261101+cpu";
  };
  nameTorchBuild.asItsWheelsSay = {
    expr = names.nameTorchBuild {
      torch = "2.13.0";
      compute = "cu130";
    };
    expected = "2.13.0+cu130";
  };
}
