import ./shared/relu.nix ''
  [general]
  name = "relu"
  backends = ["cpu"]
  [torch]
  src = ["torch-ext/torch_binding.cpp"]
  [kernel]
  a = "relu_cpu/relu.cpp"
''
