#pragma once

#include <torch/types.h>

void relu(torch::Tensor &out, const torch::Tensor &input);
