"""A small kernel for Intel GPUs for the tests."""

from pathlib import Path

from tests.evaluation import SYSTEM
from tests.taken_apart import make_kernel
from tests.tiny_kernel import TinyKernel, head_for

VARIANT = f"torch213-cxx11-xpu20260-{SYSTEM}"
STABLE = f"torch-stable-abi210-xpu20260-{SYSTEM}"
BINDING, SCALE, SHIFT = "torch-ext/torch_binding.cpp", "numbers/scale.cpp", "numbers/shift.sycl"

BUILD = f"""\
{head_for("xpu")}[kernel.numbers]
backend = "xpu"
depends = ["torch"]
sycl-flags = ["-DTWO WORDS='1 2'"]
src = ["numbers/scale.cpp", "numbers/shift.sycl"]
"""

FILES = {
    "build.toml": BUILD,
    BINDING: """\
#include <torch/library.h>
#include "registration.h"
void scale(torch::Tensor &numbers, double factor);
TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, ops) {
  ops.def("scale(Tensor! numbers, float factor) -> ()", &scale);
}
REGISTER_EXTENSION(TORCH_EXTENSION_NAME)
""",
    SCALE: """\
#include <c10/xpu/XPUStream.h>
#include <sycl/sycl.hpp>
#include <torch/all.h>
void scale(torch::Tensor &numbers, double factor) {
  float *data = numbers.data_ptr<float>();
  c10::xpu::getCurrentXPUStream().queue().parallel_for(
      sycl::range<1>(numbers.numel()), [=](sycl::id<1> i) { data[i] *= factor; });
}
""",
    SHIFT: "#include <sycl/sycl.hpp>\nvoid shift(sycl::queue &queue) { queue.wait(); }\n",
    "torch-ext/tiny/__init__.py": "from ._ops import ops\n\nscale = ops.scale\n",
}


def xpu_kernel(folder: Path, files: dict[str, str] | None = None, /, **build: str) -> TinyKernel:
    """Write the kernel; `build` replaces the value of a key of its component."""
    return make_kernel(folder, {**FILES, **(files or {})}, build)
