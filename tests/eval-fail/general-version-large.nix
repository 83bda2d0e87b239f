import ./shared/relu.nix ''
  [general]
  name = "relu"
  version = 3000000000
  backends = ["cpu"]
  [torch]
  src = ["torch-ext/torch_binding.cpp"]
  [kernel.a]
  backend = "cpu"
  depends = ["torch"]
  src = ["relu_cpu/relu.cpp"]
''
