#pragma once

#include <ATen/core/Tensor.h>

// Writes max(input, 0) to `out`, which may be `input` itself.
void relu(at::Tensor &out, at::Tensor const &input);
