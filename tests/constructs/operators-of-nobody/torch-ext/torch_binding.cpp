#include <ATen/core/Tensor.h>
#include <torch/library.h>

#include "registration.h"

int64_t answer();
static at::Tensor shrink(const at::Tensor &x, const at::Scalar &) { return x; }
static at::Tensor doubled(const at::Tensor &x) { return x; }

TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, ops) {
  ops.def("answer(Tensor x) -> Tensor");
  ops.impl("anwser", c10::kCPU, &doubled);
}
TORCH_LIBRARY_IMPL(aten, CPU, ops) { ops.impl("hardshrink", &shrink); }
TORCH_LIBRARY_IMPL(_, PrivateUse1, ops) { ops.fallback(torch::CppFunction::makeFallthrough()); }
TORCH_LIBRARY(shared_by_all, ops) { ops.def("answer() -> int", &answer); }

REGISTER_EXTENSION(TORCH_EXTENSION_NAME)
