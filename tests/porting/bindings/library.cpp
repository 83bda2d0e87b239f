// Torch itself knows what these register.
#include <torch/library.h>
#include <ATen/core/op_registration/op_registration.h>
at::Tensor scale(const at::Tensor& x, double by);
int64_t version();
TORCH_LIBRARY(space, m) {
  m.def("scale(Tensor x, float by=1.0) -> Tensor");
  m.def("fill(Tensor(a!) x) -> ()");
}
TORCH_LIBRARY_IMPL(space, CPU, m) { m.impl("scale", &scale); }
static auto registry = torch::RegisterOperators().op("space::version", &version);
