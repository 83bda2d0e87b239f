import ./shared/relu.nix ''
  [general]
  name = "relu"
  backends = ["cpu"]
  [tvm-ffi]
  src = ["binding.cpp"]
  [kernel.a]
  backend = "cpu"
  depends = ["torch"]
  src = ["relu_cpu/relu.cpp"]
''
