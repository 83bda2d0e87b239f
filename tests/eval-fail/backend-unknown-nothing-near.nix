import ./shared/relu.nix ''
  [general]
  name = "relu"
  backends = ["vulkan"]
  [torch]
  src = ["torch-ext/torch_binding.cpp"]
''
