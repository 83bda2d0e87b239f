import ./shared/relu.nix ''
  [general]
  name = "re_lu"
  edition = 5
  backends = ["cpu"]
  [torch]
  src = ["torch-ext/torch_binding.cpp"]
  [kernel.a]
  backend = "cpu"
  depends = ["torch"]
  src = ["relu_cpu/relu.cpp"]
''
