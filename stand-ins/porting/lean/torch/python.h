// Torch's header without the C++ neural network frontend.
#pragma once
#include <ATen/core/Tensor.h>

#include <vector>
// Some lean headers lack these names.
namespace torch::autograd {
using Variable = at::Tensor;
using variable_list = std::vector<Variable>;
}  // namespace torch::autograd
#include <torch/csrc/Device.h>
#include <torch/csrc/Dtype.h>
#include <torch/csrc/DynamicTypes.h>
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/autograd/python_variable.h>
#include <torch/csrc/python_headers.h>
#include <torch/csrc/utils/pybind.h>
#include <torch/csrc/utils/python_numbers.h>
#include <torch/csrc/utils/python_tuples.h>
#include <torch/types.h>
