import ./shared/variants.nix ''
  [general]
  name = "relu"
  backends = ["cuda"]
  [torch]
  src = ["torch-ext/torch_binding.cpp"]
  minver = "2.15"
  maxver = "2.15"
  [kernel.a]
  backend = "cuda"
  depends = ["torch"]
  src = ["relu_cuda/relu.cu"]
  cuda-capabilities = ["10.1"]
''
