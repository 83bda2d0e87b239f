import ./shared/relu.nix ''
  [general]
  name = "relu"
  [torch]
  src = ["torch-ext/torch_binding.cpp"]
  [kernel.a]
  language = "opencl"
  depends = ["torch"]
  src = ["relu_cpu/relu.cpp"]
''
