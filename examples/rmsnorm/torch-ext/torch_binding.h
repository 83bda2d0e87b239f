#pragma once

#include <ATen/core/Tensor.h>

#include <tuple>

// x / sqrt(mean(x * x) + eps) * weight over the last dimension, and 1 / sqrt(…) of each row in float32.
std::tuple<at::Tensor, at::Tensor> rmsnorm(at::Tensor const &x, at::Tensor const &weight, double eps);

// The gradients of x and weight, given that of the result.
std::tuple<at::Tensor, at::Tensor> rmsnorm_backward(at::Tensor const &grad, at::Tensor const &x,
                                                    at::Tensor const &weight, at::Tensor const &rstd);
