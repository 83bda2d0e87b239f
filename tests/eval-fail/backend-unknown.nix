import ./shared/relu.nix ''
  [general]
  name = "relu"
  backends = ["cudaa"]
  [torch]
  src = ["torch-ext/torch_binding.cpp"]
  [kernel.a]
  backend = "cudaa"
  depends = ["torch"]
  src = ["relu_cuda/relu.cu"]
''
