import ./shared/relu.nix ''
  [general]
  name = "relu"
  backends = ["cuda"]
  [general.cuda]
  minver = "13.0"
  maxver = "12.9"
  [torch]
  src = ["torch-ext/torch_binding.cpp"]
  [kernel.a]
  backend = "cuda"
  depends = ["torch"]
  src = ["relu_cuda/relu.cu"]
''
