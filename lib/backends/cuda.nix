# NVIDIA GPUs. A `.cu` file is compiled once for the host and once for each target; `flags`
# here go to each of these passes, see pkgs/compile/compile-cuda-unit.
{
  definitions = [
    "CUDA_KERNEL"
    "USE_CUDA=1"
    "ENABLE_FP8"
    "ONNX_NAMESPACE=onnx_c2"
  ];
  packages = [
    "cublas"
    "cuda"
    "cufft"
    "curand"
    "cusolver"
    "cusparse"
    "nvjitlink"
    "nvrtc"
    "nvtx"
  ];
  languages = (import ./cxx.nix) // {
    cu = {
      compiler = "nvcc";
      standard = "c++";
      flags = [
        "--expt-relaxed-constexpr"
        "--expt-extended-lambda"
        "-forward-unknown-to-host-compiler"
      ];
      packages = [ "cuda" ];
    };
  };
  # The passes are told their target one by one.
  targetFlags = _: [ ];
  libraries = [
    "c10_cuda"
    "torch_cuda"
    "torch_cpu"
    "torch"
    "c10"
  ];
  packageLibraries = {
    cublas = [
      "cublas"
      "cublasLt"
    ];
    cuda = [ "cudart" ];
    cufft = [ "cufft" ];
    curand = [ "curand" ];
    cusolver = [ "cusolver" ];
    cusparse = [ "cusparse" ];
    nvjitlink = [ "nvJitLink" ];
    nvrtc = [ "nvrtc" ];
  };
  linker = {
    program = "g++";
    flags = [ ];
  };
}
