import ./shared/relu.nix ''
  kernel = ["a"]
  [general]
  name = "relu"
  backends = ["cpu"]
  [torch]
  src = ["torch-ext/torch_binding.cpp"]
''
