{ plan, ... }:
let
  inherit (plan) headers;
  visible =
    names:
    headers.visible {
      allowed = [
        "torch"
        "cuda"
        "python"
      ];
      owners = map headers.owners names;
      computed = false;
    };
in
{
  owners = {
    standard = {
      expr = headers.owners "vector";
      expected = [ "toolchain" ];
    };
    system = {
      expr = headers.owners "sys/mman.h";
      expected = [ "toolchain" ];
    };
    intrinsics = {
      expr = headers.owners "immintrin.h";
      expected = [ "toolchain" ];
    };
    torch = {
      expr = headers.owners "ATen/Parallel.h";
      expected = [ "torch" ];
    };
    # Torch's own headers for CUDA do not compile without those of CUDA's libraries, nor, once hipify
    # has translated what includes them, those for HIP without HIP's.
    torchForGpus = {
      expr = headers.owners "ATen/cuda/CUDAContext.h";
      expected = [
        "cublas"
        "cuda"
        "cusolver"
        "cusparse"
        "hipblas"
        "hipsolver"
        "hipsparse"
        "torch"
      ];
    };
    generated = {
      expr = headers.owners "registration.h";
      expected = [ "python" ];
    };
    unknown = {
      expr = headers.owners "nobody/knows.h";
      expected = [ ];
    };
  };
  visible = {
    nothingOfTorch = {
      expr = visible [
        "cstdint"
        "immintrin.h"
      ];
      expected = [ ];
    };
    onlyWhatIsNamed = {
      expr = visible [
        "vector"
        "torch/library.h"
      ];
      expected = [ "torch" ];
    };
    # What a component does not depend on stays out, whoever includes it.
    notBeyondAllowed = {
      expr = headers.visible {
        allowed = [ "python" ];
        owners = [ [ "torch" ] ];
        computed = false;
      };
      expected = [ ];
    };
    unknownMeansAll = {
      expr = visible [ "nobody/knows.h" ];
      expected = [
        "torch"
        "cuda"
        "python"
      ];
    };
    computedMeansAll = {
      expr = headers.visible {
        allowed = [ "torch" ];
        owners = [ ];
        computed = true;
      };
      expected = [ "torch" ];
    };
  };
}
