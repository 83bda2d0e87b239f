import ./shared/relu.nix ''
  [general]
  name = "relu"
  backends = ["cpu"]
  [torch]
  src = ["torch-ext/torch_binding.cpp"]
  [kernel.a]
  backend = "cpu"
  depends = ["torch"]
  cxx-flags = ["-DA\n-DB"]
  src = ["relu_cpu/relu.cpp"]
''
