#include <torch/library.h>

#include "../numbers/numbers.h"
#include "registration.h"

TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, ops) { ops.def("ready() -> bool", &ready); }

REGISTER_EXTENSION(TORCH_EXTENSION_NAME)
