import ./shared/relu.nix ''
  [general]
  name = "relu"
  backends = ["cpu"]
  [torch]
  src = ["torch-ext/torch_binding.cpp"]
  pyext = ["py", ".json"]
  [kernel.a]
  backend = "cpu"
  depends = ["torch"]
  src = ["relu_cpu/relu.cpp"]
''
