import ./shared/relu.nix ''
  [general]
  name = "relu"
  backends = ["cuda", "rocm"]
  [torch]
  src = ["torch-ext/torch_binding.cpp"]
  [kernel.a]
  backend = "cuda"
  depends = ["torch"]
  src = ["relu_cuda/relu.cu"]
  cuda-capabilities = ["99999.0", "9.1"]
  [kernel.b]
  backend = "rocm"
  depends = ["torch"]
  src = ["relu_cuda/relu.cu"]
  rocm-archs = ["gfx99999"]
''
