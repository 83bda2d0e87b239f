import ./shared/relu.nix ''
  [general]
  name = "relu"
  backends = ["cpu", "cuda"]
  [torch]
  src = ["torch-ext/torch_binding.cpp"]
  [kernel.a]
  backend = "cuda"
  depends = ["torch"]
  cuda-flags = ["-gencode", "arch=compute_80,code=[sm_80,compute_80]", "-Xcompiler", "-O3,-march=native"]
  src = ["relu_cuda/relu.cu"]
''
