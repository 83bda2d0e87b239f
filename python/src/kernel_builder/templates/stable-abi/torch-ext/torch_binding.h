#pragma once

// Torch's stable ABI: of Torch's headers only those in torch/csrc/stable and torch/headeronly.
#include <torch/csrc/stable/tensor.h>
#include <torch/headeronly/core/ScalarType.h>
#include <torch/headeronly/util/Exception.h>

using torch::stable::Tensor;

// Writes input + 1 to `out`, which may be `input` itself.
void mykernel(Tensor out, Tensor input);

inline void check_operands(Tensor const &out, Tensor const &input) {
  using torch::headeronly::ScalarType;
  STD_TORCH_CHECK(input.scalar_type() == ScalarType::Float && out.scalar_type() == ScalarType::Float,
                  "mykernel: want float32");
  STD_TORCH_CHECK(input.is_contiguous() && out.is_contiguous(), "mykernel: want contiguous tensors");
  STD_TORCH_CHECK(out.dim() == input.dim() && out.numel() == input.numel() && out.device() == input.device(),
                  "mykernel: out is not like input");
}
