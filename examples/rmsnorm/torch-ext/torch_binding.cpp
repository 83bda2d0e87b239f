#include <torch/csrc/stable/library.h>

#include "registration.h"
#include "torch_binding.h"

STABLE_TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, ops) {
  ops.def("rmsnorm(Tensor x, Tensor weight, float eps) -> (Tensor, Tensor)");
  ops.def("rmsnorm_backward(Tensor grad, Tensor x, Tensor weight, Tensor rstd) -> (Tensor, Tensor)");
}

// One variant holds one backend.
#if defined(CPU_KERNEL)
STABLE_TORCH_LIBRARY_IMPL_EXPAND(TORCH_EXTENSION_NAME, CPU, ops) {
#elif defined(CUDA_KERNEL)
STABLE_TORCH_LIBRARY_IMPL_EXPAND(TORCH_EXTENSION_NAME, CUDA, ops) {
#elif defined(XPU_KERNEL)
STABLE_TORCH_LIBRARY_IMPL_EXPAND(TORCH_EXTENSION_NAME, XPU, ops) {
#endif
  ops.impl("rmsnorm", TORCH_BOX(&rmsnorm));
  ops.impl("rmsnorm_backward", TORCH_BOX(&rmsnorm_backward));
}

REGISTER_EXTENSION(TORCH_EXTENSION_NAME)
