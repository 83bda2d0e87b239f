#pragma once

#include <ATen/core/Tensor.h>
#include <c10/util/Exception.h>

#include <cstdint>

// A tensor as rows of its last dimension, and the checks that both backends need.
struct Rows {
  int64_t count;
  int64_t width;
};

inline Rows rows_of(at::Tensor const &x, at::Tensor const &weight) {
  TORCH_CHECK(x.dim() > 0 && x.size(-1) > 0, "rmsnorm: want a last dimension that is not empty, found shape ",
              x.sizes());
  TORCH_CHECK(weight.dim() == 1 && weight.size(0) == x.size(-1), "rmsnorm: want a weight of shape [", x.size(-1),
              "], found ", weight.sizes());
  TORCH_CHECK(weight.scalar_type() == x.scalar_type(), "rmsnorm: weight is ", weight.scalar_type(), ", but x is ",
              x.scalar_type());
  TORCH_CHECK(weight.device() == x.device(), "rmsnorm: weight is on ", weight.device(), ", but x is on ", x.device());
  return {x.numel() / x.size(-1), x.size(-1)};
}

inline void check_gradient(at::Tensor const &grad, at::Tensor const &x, at::Tensor const &rstd, Rows rows) {
  TORCH_CHECK(grad.sizes() == x.sizes() && grad.scalar_type() == x.scalar_type() && grad.device() == x.device(),
              "rmsnorm: the gradient is not of the kind of x");
  TORCH_CHECK(rstd.numel() == rows.count && rstd.scalar_type() == at::kFloat && rstd.device() == x.device(),
              "rmsnorm: rstd is not what the forward pass gave");
}
