import ./shared/relu.nix ''
  [general]
  name = "relu"
  backends = ["cuda"]
  [torch]
  src = ["torch-ext/torch_binding.cpp"]
  [kernel.a]
  backend = "cuda"
  depends = ["torch"]
  src = ["relu_cuda/relu.cu"]
  cuda-capabilities = ["sm_90", "9"]
''
