(import ../../lib).config.buildToml.readConfig {
  root = ../unit/kernels/relu;
  text = ''
    [general]
    name = "relu"
    bakends = ["cpu"]
    [torch]
    src = ["torch-ext/torch_binding.cpp"]
    minver = 2.10
    [kernel.a]
    backend = "cpuu"
    depends = ["torch"]
    src = ["relu_cpu/rleu.cpp"]
  '';
}
