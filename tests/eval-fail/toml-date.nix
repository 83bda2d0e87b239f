import ./shared/relu.nix ''
  [general]
  name = "relu"
  backends = ["cpu"]
  version = 2026-01-01
  [torch]
  src = ["torch-ext/torch_binding.cpp"]
''
