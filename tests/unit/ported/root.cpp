#include <torch/csrc/utils/pybind.h>
