// Tensors and operators without the C++ neural network frontend, which kernels hardly use and
// which is most of what the whole header costs to parse.
#pragma once
#include <torch/types.h>
