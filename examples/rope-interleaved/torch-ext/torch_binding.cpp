#include <torch/csrc/stable/library.h>

#include "registration.h"
#include "torch_binding.h"

STABLE_TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, ops) {
  ops.def("rope(Tensor! out, Tensor x, Tensor cos, Tensor sin) -> ()");
}

STABLE_TORCH_LIBRARY_IMPL_EXPAND(TORCH_EXTENSION_NAME, CPU, ops) {
  ops.impl("rope", TORCH_BOX(&rope));
}

REGISTER_EXTENSION(TORCH_EXTENSION_NAME)
