#pragma once

#include <torch/csrc/stable/tensor.h>

using torch::stable::Tensor;

// input * factor; and whether it would be made by the code for Hopper.
Tensor scale(Tensor input, double factor);
bool uses_hopper(Tensor input);
