{ plan, ... }:
let
  inherit (plan) headers;
  visible =
    names:
    headers.listVisiblePackages {
      allowed = [
        "torch"
        "cuda"
        "python"
      ];
      owners = map headers.findOwners names;
      computed = false;
    };
in
{
  findOwners = {
    registrationByItsPath = {
      expr = headers.findOwners "../torch-ext/registration.h";
      expected = [ "python" ];
    };
    standard = {
      expr = headers.findOwners "vector";
      expected = [ "toolchain" ];
    };
    system = {
      expr = headers.findOwners "sys/mman.h";
      expected = [ "toolchain" ];
    };
    intrinsics = {
      expr = headers.findOwners "immintrin.h";
      expected = [ "toolchain" ];
    };
    torch = {
      expr = headers.findOwners "ATen/Parallel.h";
      expected = [ "torch" ];
    };
    # Torch's own headers for CUDA do not compile without those of CUDA's libraries, nor, once hipify
    # has translated what includes them, those for HIP without HIP's.
    torchForGpus = {
      expr = headers.findOwners "ATen/cuda/CUDAContext.h";
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
      expr = headers.findOwners "registration.h";
      expected = [ "python" ];
    };
    unknown = {
      expr = headers.findOwners "nobody/knows.h";
      expected = [ ];
    };
  };
  isRegistration = {
    beside = {
      expr = headers.isRegistration "registration.h";
      expected = true;
    };
    byItsPath = {
      expr = map headers.isRegistration [
        "torch-ext/registration.h"
        "../torch-ext/registration.h"
      ];
      expected = [
        true
        true
      ];
    };
    another = {
      expr = map headers.isRegistration [
        "core/registration.h"
        "my-torch-ext/registration.h"
        "torch-ext/registration.hpp"
      ];
      expected = [
        false
        false
        false
      ];
    };
  };
  listVisiblePackages = {
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
    # Packages that a component does not depend on stay out, also if another package includes them.
    notBeyondAllowed = {
      expr = headers.listVisiblePackages {
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
      expr = headers.listVisiblePackages {
        allowed = [ "torch" ];
        owners = [ ];
        computed = true;
      };
      expected = [ "torch" ];
    };
  };
}
