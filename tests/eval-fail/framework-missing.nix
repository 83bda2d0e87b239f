import ./shared/relu.nix ''
  [general]
  name = "relu"
  backends = ["cpu"]
  [kernel.a]
  backend = "cpu"
  depends = ["torch"]
  src = ["relu_cpu/relu.cpp"]
''
