#pragma once

#include <ATen/core/Tensor.h>

// input * factor; and whether it would be made by the code for Hopper.
at::Tensor scale(at::Tensor const &input, double factor);
bool uses_hopper(at::Tensor const &input);
