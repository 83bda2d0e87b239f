// Definitions in a file of CUDA, and in a module of the module.
#include "more.h"

void bind_more(py::module& m) {
  m.def_submodule("sub").def("deep", [](const at::Tensor& x, bool all) { return x; }, py::arg("x"), py::arg("all") = true);
}
