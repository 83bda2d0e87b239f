import ./shared/relu.nix ''
  [general]
  name = "relu"
  backends = ["cpu"]
  [torch]
  src = ["torch-ext/torch_binding.cpp"]
  [kernel.a]
  backend = "CPU"
  depends = ["torch"]
  src = "relu_cpu/relu.cpp"
''
