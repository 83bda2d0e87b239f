#include <torch/csrc/stable/library.h>

#include "registration.h"
#include "torch_binding.h"

STABLE_TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, ops) {
  ops.def("rope(Tensor! out, Tensor x, Tensor cos, Tensor sin) -> ()");
}

// One variant holds one backend. Torch calls AMD's GPUs CUDA, too.
#if defined(CPU_KERNEL)
STABLE_TORCH_LIBRARY_IMPL_EXPAND(TORCH_EXTENSION_NAME, CPU, ops) {
  ops.impl("rope", TORCH_BOX(&rope));
}
#elif defined(CUDA_KERNEL) || defined(ROCM_KERNEL)
STABLE_TORCH_LIBRARY_IMPL_EXPAND(TORCH_EXTENSION_NAME, CUDA, ops) {
  ops.impl("rope", TORCH_BOX(&rope));
}
#endif

REGISTER_EXTENSION(TORCH_EXTENSION_NAME)
