#pragma once

#include <ATen/core/Tensor.h>

// a @ b in half precision, with sums in float32.
at::Tensor gemm(at::Tensor const &a, at::Tensor const &b);
