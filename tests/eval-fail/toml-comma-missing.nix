import ./shared/relu.nix ''
  [general]
  name = "relu"
  backends = [
    "cpu"
    "cuda"
  ]
  [torch]
  src = ["torch-ext/torch_binding.cpp"]
''
