#pragma once

#include <torch/csrc/stable/ops.h>

#include <array>
#include <cstdint>

// A tensor as rows of its last dimension, and the checks and sums that all backends need.
struct Rows {
  int64_t count;
  int64_t width;
};

inline Rows rows_of(torch::stable::Tensor const &x, torch::stable::Tensor const &weight) {
  using torch::headeronly::toString;
  STD_TORCH_CHECK(x.dim() > 0 && x.size(-1) > 0, "rmsnorm: want a last dimension that is not empty");
  STD_TORCH_CHECK(weight.dim() == 1 && weight.size(0) == x.size(-1), "rmsnorm: want a weight of shape [", x.size(-1),
                  "], found ", weight.numel(), " elements in ", weight.dim(), " dimensions");
  STD_TORCH_CHECK(weight.scalar_type() == x.scalar_type(), "rmsnorm: weight is ", toString(weight.scalar_type()),
                  ", but x is ", toString(x.scalar_type()));
  STD_TORCH_CHECK(weight.device() == x.device(), "rmsnorm: want x and weight on one device");
  return {x.numel() / x.size(-1), x.size(-1)};
}

inline void check_gradient(torch::stable::Tensor const &grad, torch::stable::Tensor const &x,
                           torch::stable::Tensor const &rstd, Rows rows) {
  STD_TORCH_CHECK(grad.sizes().equals(x.sizes()) && grad.scalar_type() == x.scalar_type() && grad.device() == x.device(),
                  "rmsnorm: the gradient is not of the kind of x");
  STD_TORCH_CHECK(rstd.numel() == rows.count && rstd.scalar_type() == torch::headeronly::ScalarType::Float &&
                      rstd.device() == x.device(),
                  "rmsnorm: rstd is not what the forward pass gave");
}

// A float32 number for each row of x.
inline torch::stable::Tensor empty_rstd(torch::stable::Tensor const &x) {
  return torch::stable::new_empty(x, x.sizes().slice(0, x.dim() - 1), torch::headeronly::ScalarType::Float);
}

// `parts` rows of float32 sums.
inline torch::stable::Tensor zero_sums(torch::stable::Tensor const &x, int64_t parts) {
  return torch::stable::new_zeros(x, {parts, x.size(-1)}, torch::headeronly::ScalarType::Float);
}

// The sum of these rows, in the type of weight.
inline torch::stable::Tensor add_sums(torch::stable::Tensor const &partial, torch::stable::Tensor const &weight) {
  std::array<int64_t, 1> const rows{0};
  return torch::stable::to(torch::stable::sum(partial, rows), weight.scalar_type());
}
