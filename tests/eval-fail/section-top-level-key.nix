import ./shared/relu.nix ''
  name = "relu"
  [general]
  name = "relu"
  backends = ["cpu"]
  [torch]
  src = ["torch-ext/torch_binding.cpp"]
  [kernel.a]
  backend = "cpu"
  depends = ["torch"]
  src = ["relu_cpu/relu.cpp"]
''
