#include <torch/library.h>

#include "../answer/answer.h"
#include "registration.h"

TORCH_LIBRARY(tiny, ops) { ops.def("answer() -> int", &answer); }

REGISTER_EXTENSION(TORCH_EXTENSION_NAME)
