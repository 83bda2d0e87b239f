#pragma once

#include <ATen/core/Tensor.h>

// silu(input[..., :d]) * input[..., d:], where the last dimension has 2 * d elements.
at::Tensor silu_and_mul(at::Tensor const &input);
