import ./shared/relu.nix ''
  [general]
  name = "relu"
  bakends = ["cpu"]
  [torch]
  src = ["torch-ext/torch_binding.cpp"]
  minver = 2.10
  [kernel.a]
  backend = "cpuu"
  depends = ["torch"]
  src = ["relu_cpu/rleu.cpp"]
''
