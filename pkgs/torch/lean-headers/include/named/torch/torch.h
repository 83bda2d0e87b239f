// Tensors and the operators that are named, without the C++ neural network frontend.
#pragma once
// Their namespaces are also in `at`, where these functions would be looked up without them.
#include <torch/cuda.h>
#include <torch/types.h>
#include <torch/version.h>
#include <torch/xpu.h>
