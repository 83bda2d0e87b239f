#pragma once
#include <torch/extension.h>
void bind_more(py::module& m);
// Another file has this function, which is not read.
void bind_other(py::module& m);
