#include <torch/library.h>

#include "registration.h"

int64_t answer();

TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, ops) {
  ops.def("answer() -> int", &answer);
  ops.def("doubled(Tensor x) -> Tensor");
}

REGISTER_EXTENSION(TORCH_EXTENSION_NAME)
