#include <torch/library.h>

#include "registration.h"
#include "torch_binding.h"

TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, ops) {
  ops.def("mykernel(Tensor! out, Tensor input) -> ()");

  // One variant has the code of one backend.
#if defined(CPU_KERNEL)
  ops.impl("mykernel", c10::kCPU, &mykernel);
#elif defined(CUDA_KERNEL) || defined(ROCM_KERNEL)
  ops.impl("mykernel", c10::kCUDA, &mykernel);
#elif defined(METAL_KERNEL)
  ops.impl("mykernel", c10::kMPS, &mykernel);
#elif defined(XPU_KERNEL)
  ops.impl("mykernel", c10::kXPU, &mykernel);
#endif
}

REGISTER_EXTENSION(TORCH_EXTENSION_NAME)
