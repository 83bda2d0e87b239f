import ./shared/relu.nix ''
  [general]
  name = "relu"
  backends = ["cpu", "cuda"]
  kernel-depends = [
    { repo-id = "kernels-community/gelu", version = 1 },
    { repo-id = "kernels-community/silu", version = 1 },
    { repo-id = "kernels-community/silu", revision = "main" },
  ]
  [general.cuda]
  kernel-depends = [
    { repo-id = "kernels-community/gelu", version = 2 },
    { repo-id = "kernels-community/silu", version = 1 },
  ]
  [torch]
  src = ["torch-ext/torch_binding.cpp"]
  [kernel.a]
  backend = "cpu"
  depends = ["torch"]
  src = ["relu_cpu/relu.cpp"]
  [kernel.b]
  backend = "cuda"
  depends = ["torch"]
  src = ["relu_cuda/relu.cu"]
''
