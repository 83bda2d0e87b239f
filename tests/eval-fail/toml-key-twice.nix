import ./shared/relu.nix ''
  [general]
  name = "relu"
  backends = ["cpu"]
  name = "gelu"
  [torch]
  src = ["torch-ext/torch_binding.cpp"]
''
