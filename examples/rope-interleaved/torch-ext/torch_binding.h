#pragma once

// Of Torch's headers only those in torch/csrc/stable and torch/headeronly: the rest is not of its stable ABI.
#include <torch/csrc/stable/tensor.h>
#include <torch/headeronly/core/ScalarType.h>
#include <torch/headeronly/util/Exception.h>

using torch::stable::Tensor;

// Turns the heads of `x` (tokens, heads, size), by the angles of each token (tokens, size / 2), into `out`, which may
// be `x` itself.
void rope(Tensor out, Tensor x, Tensor cos, Tensor sin);

inline void check_operands(Tensor const &out, Tensor const &x, Tensor const &cos, Tensor const &sin) {
  using torch::headeronly::ScalarType;
  STD_TORCH_CHECK(x.dim() == 3 && x.size(2) % 2 == 0, "rope: want x of tokens, heads and an even number of elements");
  STD_TORCH_CHECK(out.sizes().equals(x.sizes()) && out.scalar_type() == x.scalar_type(), "rope: out is not like x");
  for (Tensor const &angles : {cos, sin}) {
    STD_TORCH_CHECK(angles.dim() == 2 && angles.size(0) == x.size(0) && angles.size(1) == x.size(2) / 2,
                    "rope: want cos and sin of tokens and half of a head's elements");
    STD_TORCH_CHECK(angles.scalar_type() == ScalarType::Float, "rope: want cos and sin in float32");
  }
  for (Tensor const &operand : {out, x, cos, sin}) {
    STD_TORCH_CHECK(operand.is_contiguous(), "rope: want contiguous tensors");
    STD_TORCH_CHECK(operand.device() == x.device(), "rope: want all tensors on one device");
  }
}
