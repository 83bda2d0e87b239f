// Tensors only: torch/types.h, which includes this, is Torch's own.
#pragma once
#include <ATen/core/Tensor.h>
