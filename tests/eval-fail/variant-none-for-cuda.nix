import ./shared/variants.nix ''
  [general]
  name = "relu"
  backends = ["cuda"]
  [general.cuda]
  minver = "14.0"
  [torch]
  src = ["torch-ext/torch_binding.cpp"]
  [kernel.a]
  backend = "cuda"
  depends = ["torch"]
  src = ["relu_cuda/relu.cu"]
''
