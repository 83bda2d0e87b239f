import ./shared/relu.nix ''
  [general]
  name = "relu"
  backends = ["cpu"]
  [tvm-ffi]
  src = ["relu_cpu/relu.h"]
  minver = "0.1"
  [kernel.a]
  backend = "cpu"
  depends = ["tvm-fi"]
  src = ["relu_cpu/relu.cpp"]
''
