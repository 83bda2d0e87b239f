import ./shared/relu.nix ''
  [general]
  name = "relu"
  backends = ["cuda"]
  [torch]
  src = ["torch-ext/torch_binding.cpp"]
  [kernel.a]
  backend = "cuda"
  depends = ["torch", "cutlass_3_7"]
  src = ["relu_cuda/relu.cu"]
''
