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
  computeOf = {
    cpu = {
      expr = names.computeOf {
        backend = "cpu";
        toolkit = null;
      };
      expected = "cpu";
    };
    cuda = {
      expr = names.computeOf {
        backend = "cuda";
        toolkit = "12.6";
      };
      expected = "cu126";
    };
    rocm = {
      expr = names.computeOf {
        backend = "rocm";
        toolkit = "7.2.1";
      };
      expected = "rocm72";
    };
    xpu = {
      expr = names.computeOf {
        backend = "xpu";
        toolkit = "2025.3";
      };
      expected = "xpu20253";
    };
    metal = {
      expr = names.computeOf {
        backend = "metal";
        toolkit = null;
      };
      expected = "metal";
    };
  };
  variantName = {
    linux = {
      expr = names.variantName base;
      expected = "torch213-cxx11-cu130-x86_64-linux";
    };
    darwin = {
      expr = names.variantName (
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
      expr = names.variantName (base // { stableAbi = "2.11"; });
      expected = "torch-stable-abi211-cu130-x86_64-linux";
    };
    tvmFfi = {
      expr = names.variantName (base // { framework = "tvm-ffi"; });
      expected = "tvm-ffi01-cu130-x86_64-linux";
    };
  };
  noarchName.asTheClientLooksForIt = {
    expr = names.noarchName { backend = "cann"; };
    expected = "torch-npu";
  };
  noarchName.perBackend = {
    expr = names.noarchName { backend = "xpu"; };
    expected = "torch-xpu";
  };
  torchBuildOf.asItsWheelsSay = {
    expr = names.torchBuildOf {
      torch = "2.13.0";
      compute = "cu130";
    };
    expected = "2.13.0+cu130";
  };
}
