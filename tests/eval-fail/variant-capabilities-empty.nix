import ./shared/variants.nix ''
  [general]
  name = "relu"
  backends = ["cuda"]
  [general.cuda]
  maxver = "12.6"
  [torch]
  src = ["torch-ext/torch_binding.cpp"]
  minver = "2.13"
  maxver = "2.13"
  [kernel.a]
  backend = "cuda"
  depends = ["torch"]
  src = ["relu_cuda/relu.cu"]
  cuda-capabilities = ["10.3a"]
''
