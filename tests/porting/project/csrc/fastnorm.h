#pragma once

#include <torch/extension.h>

void scale_rows_cpu(torch::Tensor x, const torch::Tensor &scale);
void scale_rows_cuda(torch::Tensor x, const torch::Tensor &scale);
