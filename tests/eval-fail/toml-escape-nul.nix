import ./shared/relu.nix ''
  [general]
  name = "relu"
  backends = ["cpu"]
  license = "a\u0000b"
  [torch]
  src = ["torch-ext/torch_binding.cpp"]
''
