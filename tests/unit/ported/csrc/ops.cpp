#include <Python.h>
#ifdef WITH_PYBIND11
#include <pybind11/numpy.h>
#endif
static void scale(at::Tensor &x, float by) {}
static void shift(at::Tensor &x, int64_t by) {}
TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, ops) {
  ops.def("scale(Tensor! x, float by) -> ()", &scale);
  ops.def("shift(Tensor! x, int by) -> ()", &shift);
}
