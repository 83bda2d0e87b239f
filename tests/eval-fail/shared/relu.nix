# The problems of changes to a kernel for the CPU, with the sources of tests/unit/kernels/relu.
import ./changes.nix {
  root = ../../unit/kernels/relu;
  base = {
    general.name = "relu";
    general.backends = [ "cpu" ];
    torch.src = [ "torch-ext/torch_binding.cpp" ];
    kernel.a.backend = "cpu";
    kernel.a.depends = [ "torch" ];
    kernel.a.src = [ "relu_cpu/relu.cpp" ];
  };
}
