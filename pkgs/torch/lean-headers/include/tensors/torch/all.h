// Tensors and operators without the C++ neural network frontend, which kernels hardly use and
// which is most of what the whole header costs to parse.
#pragma once
// Their namespaces are also in `at`, where these functions would be looked up without them.
#include <torch/cuda.h>
#include <torch/types.h>
#include <torch/version.h>
#include <torch/xpu.h>
