import ./shared/relu.nix ''
  [general]
  name = "relu"
  backends = ["cpu"]
  [general.hub]
  repo-id = "relu"
  [torch]
  src = ["torch-ext/torch_binding.cpp"]
  [kernel.a]
  backend = "cpu"
  depends = ["torch"]
  src = ["relu_cpu/relu.cpp"]
''
