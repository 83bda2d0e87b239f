// #include <pybind11/pybind11.h>
/* PYBIND11_MODULE(in, a_comment) {
*/
#include <torch/extension.h>
#include "ported.h"
const char *text = "\" PYBIND11_MODULE(in, a_string)";

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward, "Forward", py::arg("x"));
  m.def("backward",
        ported::backward);
}
