#pragma once

#include <torch/csrc/stable/tensor.h>

using torch::stable::Tensor;

// a @ b in half precision, with sums in float32.
Tensor gemm(Tensor a, Tensor b);
