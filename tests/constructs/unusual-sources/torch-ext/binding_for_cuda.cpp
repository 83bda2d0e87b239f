#if defined(CUDA_KERNEL)
#include <torch/library.h>

#include "registration.h"

int64_t answer_on_the_gpu();

TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, ops) { ops.def("answer() -> int", &answer_on_the_gpu); }

REGISTER_EXTENSION(TORCH_EXTENSION_NAME)
#endif
