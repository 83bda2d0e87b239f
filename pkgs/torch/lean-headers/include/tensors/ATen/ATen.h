// Tensors and the dispatch over their element types, without the operators.
#pragma once
#include <ATen/Dispatch.h>
#include <ATen/core/Tensor.h>
