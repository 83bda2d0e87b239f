#pragma once

#include <torch/csrc/stable/tensor.h>

#include <tuple>

using torch::stable::Tensor;

// x / sqrt(mean(x * x) + eps) * weight over the last dimension, and 1 / sqrt(…) of each row in float32.
std::tuple<Tensor, Tensor> rmsnorm(Tensor x, Tensor weight, double eps);

// The gradients of x and weight, given that of the result.
std::tuple<Tensor, Tensor> rmsnorm_backward(Tensor grad, Tensor x, Tensor weight, Tensor rstd);
