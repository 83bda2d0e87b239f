#pragma once
#include <torch/extension.h>
void bind_more(py::module& m);
