{ headers, ... }:
let
  visible =
    names:
    headers.listVisiblePackages {
      allowed = [ "torch" "cuda" "python" ];
      owners = map headers.findOwners names;
      computed = false;
    };
in
{
  findOwners = {
    registrationByItsPath = [ (headers.findOwners "../torch-ext/registration.h") [ "python" ] ];
    standard = [ (headers.findOwners "vector") [ "toolchain" ] ];
    system = [ (headers.findOwners "sys/mman.h") [ "toolchain" ] ];
    intrinsics = [ (headers.findOwners "immintrin.h") [ "toolchain" ] ];
    torch = [ (headers.findOwners "ATen/Parallel.h") [ "torch" ] ];
    # Torch's own headers for CUDA do not compile without those of CUDA's libraries, nor, once hipify
    # has translated what includes them, those for HIP without HIP's.
    torchForGpus = [
      (headers.findOwners "ATen/cuda/CUDAContext.h")
      [ "cublas" "cuda" "cusolver" "cusparse" "hipblas" "hipsolver" "hipsparse" "torch" ]
    ];
    generated = [ (headers.findOwners "registration.h") [ "python" ] ];
    unknown = [ (headers.findOwners "nobody/knows.h") [ ] ];
  };
  isRegistration = {
    beside = [ (headers.isRegistration "registration.h") true ];
    byItsPath = [
      (map headers.isRegistration [ "torch-ext/registration.h" "../torch-ext/registration.h" ])
      [ true true ]
    ];
    another = [
      (map headers.isRegistration [ "core/registration.h" "my-torch-ext/registration.h" "torch-ext/registration.hpp" ])
      [ false false false ]
    ];
  };
  listVisiblePackages = {
    nothingOfTorch = [ (visible [ "cstdint" "immintrin.h" ]) [ ] ];
    onlyWhatIsNamed = [ (visible [ "vector" "torch/library.h" ]) [ "torch" ] ];
    # Packages that a component does not depend on stay out, also if another package includes them.
    notBeyondAllowed = [
      (headers.listVisiblePackages { allowed = [ "python" ]; owners = [ [ "torch" ] ]; computed = false; })
      [ ]
    ];
    unknownMeansAll = [ (visible [ "nobody/knows.h" ]) [ "torch" "cuda" "python" ] ];
    computedMeansAll = [
      (headers.listVisiblePackages { allowed = [ "torch" ]; owners = [ ]; computed = true; })
      [ "torch" ]
    ];
  };
}
