#include <torch/csrc/stable/library.h>

#include "registration.h"
#include "torch_binding.h"

STABLE_TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, ops) {
  ops.def("scale(Tensor input, float factor) -> Tensor");
  ops.def("uses_hopper(Tensor input) -> bool");
}

STABLE_TORCH_LIBRARY_IMPL_EXPAND(TORCH_EXTENSION_NAME, CUDA, ops) {
  ops.impl("scale", TORCH_BOX(&scale));
  ops.impl("uses_hopper", TORCH_BOX(&uses_hopper));
}

REGISTER_EXTENSION(TORCH_EXTENSION_NAME)
