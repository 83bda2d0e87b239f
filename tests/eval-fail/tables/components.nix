# Sections [kernel.NAME].
let
  cuda = { backend = "cuda"; src = [ "relu_cuda/relu.cu" ]; };
  forCuda = keys: { general.backends = [ "cuda" ]; kernel.a = cuda // keys; };
in
import ../shared/relu.nix {
  no-tables.kernel = [ "a" ];
  no-table.kernel.a = "relu_cpu/relu.cpp";
  name.kernel."a b" = { backend = "cpu"; depends = [ "torch" ]; src = [ "relu_cpu/relu.cpp" ]; };
  backend-case.kernel.a.backend = "CPU";
  backend-not-listed.kernel.a = cuda;
  key-unknown.kernel.a.optimisation = 3;
  key-of-an-old-edition = { general.backends = null; kernel.a.backend = null; kernel.a.language = "opencl"; };
  key-of-another-backend.kernel.a.cuda-flags = [ "-O3" ];
  types.kernel.a = { depends = "torch"; include = [ "include" 3 ]; };
  depends.kernel.a.depends = [ "torch" "cutlass_4_0" "cutlass_3_7" ];
  flag-of-two-lines.kernel.a.cxx-flags = [ "-DA\n-DB" ];
  flags-of-the-machine = forCuda {
    cuda-flags = [ "-gencode" "arch=compute_80,code=[sm_80,compute_80]" "-Xcompiler" "-O3,-march=native" ];
  };
  flags-of-another-abi.kernel.a.cxx-flags = [ "-D_GLIBCXX_USE_CXX11_ABI=0" "-fpack-struct=1" ];
  depends-of-cuda = forCuda { depends = [ "cudnn" "cublas" ]; };
  capability-form = forCuda { cuda-capabilities = [ "sm_90a" "9" 8.6 "8,6" "120" "compute_75" "hopper" ]; };
  targets-unknown = {
    general.backends = [ "cuda" "rocm" ];
    kernel.a = cuda // { cuda-capabilities = [ "99999.0" "9.1" ]; };
    kernel.b = cuda // { backend = "rocm"; depends = [ "torch" ]; rocm-archs = [ "gfx99999" ]; };
  };
}
