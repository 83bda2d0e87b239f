#include <torch/library.h>

#include "../answer/answer.h"
#include "registration.h"

TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, ops) { ops.def("answer(int a) -> int", &answer); }

REGISTER_EXTENSION(TORCH_EXTENSION_NAME)
