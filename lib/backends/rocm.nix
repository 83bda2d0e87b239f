# AMD GPUs. A `.cu` file is translated to HIP first (`hipify`), then compiled by clang for the
# host and all targets in one go.
let
  hip = {
    compiler = "hipcc";
    standard = "gnu++";
    flags = [
      "-x"
      "hip"
      "-fno-gpu-rdc"
    ];
    packages = [ "hip" ];
    hipify = false;
  };
in
{
  definitions = [
    "ROCM_KERNEL"
    "USE_ROCM=1"
    "__HIP_PLATFORM_AMD__=1"
    "HIP_ENABLE_WARP_SYNC_BUILTINS=1"
  ];
  packages = [
    "hip"
    "hipblas"
    "hipsolver"
    "hipsparse"
    "rocprim"
    "rocthrust"
  ];
  languages = (import ./cxx.nix) // {
    cu = hip // {
      hipify = true;
    };
    inherit hip;
  };
  targetFlags = map (target: "--offload-arch=${target}");
  libraries = [
    "c10_hip"
    "torch_hip"
    "torch_cpu"
    "torch"
    "c10"
    "amdhip64"
  ];
  linker = {
    program = "hipcc";
    flags = [ "--hip-link" ];
  };
}
