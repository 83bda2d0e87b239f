import ./shared/relu.nix ''
  [general]
  version = 1
  [torch]
  src = ["torch-ext/torch_binding.cpp"]
  [kernel.a]
  backend = "cpu"
  src = ["relu_cpu/relu.cpp"]
''
