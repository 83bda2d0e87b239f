"""Small ROCm kernels for the tests, and the package set that compiles them.

AMD's host and that of Torch's wheels for ROCm may be out of reach, so they are compiled with HIP as
Debian packs it, against a Torch made of wheels out of registries.
"""

import json
from pathlib import Path

from tests.derivation import Derivation
from tests.evaluation import ROOT, SYSTEM, TEST_PACKAGES, evaluate, outputs_of, path_of
from tests.taken_apart import OUTLINE, TakenApart, make_kernel
from tests.tiny_kernel import TinyKernel, head_for

STABLE = f"torch-stable-abi211-rocm72-{SYSTEM}"
VARIANT = f"torch213-cxx11-rocm72-{SYSTEM}"
# The argument in a flake that builds without AMD's host and Torch's host.
STAND_INS = f"""overlays = [ (import {path_of(ROOT / "stand-ins")}).debianHip
(import {path_of(TEST_PACKAGES / "overlay.nix")}) (final: previous: {{
  torchWheel = final.torchStandIn previous.torchWheel;
}}) ];"""

STABLE_ABI = '[torch]\nstable-abi = "2.11"'
BUILD = f"""\
{head_for("rocm").replace("[torch]", STABLE_ABI)}[kernel.numbers]
backend = "rocm"
depends = ["torch"]
rocm-archs = ["gfx90a", "gfx942"]
src = ["numbers/numbers_cuda.h", "numbers/scale.cu", "numbers/shift.hip"]
"""

BINDING = """\
#include <torch/csrc/stable/library.h>
#include <torch/csrc/stable/tensor.h>

#include "registration.h"

using torch::stable::Tensor;
void scale(Tensor numbers, double factor);
void shift(Tensor numbers, double addend);

STABLE_TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, ops) {
  ops.def("scale(Tensor! numbers, float factor) -> ()");
  ops.def("shift(Tensor! numbers, float addend) -> ()");
}
STABLE_TORCH_LIBRARY_IMPL_EXPAND(TORCH_EXTENSION_NAME, CUDA, ops) {
  ops.impl("scale", TORCH_BOX(&scale));
  ops.impl("shift", TORCH_BOX(&shift));
}
REGISTER_EXTENSION(TORCH_EXTENSION_NAME)
"""

# A header of CUDA, which hipify translates with the unit that includes it.
HEADER = """\
#pragma once
#include <cuda_runtime.h>
#include <torch/csrc/inductor/aoti_torch/c/shim.h>
#include <torch/csrc/stable/tensor.h>

inline cudaStream_t stream_of(torch::stable::Tensor const &tensor) {
  void *stream = nullptr;
  TORCH_ERROR_CODE_CHECK(aoti_torch_get_current_cuda_stream(tensor.get_device_index(), &stream));
  return static_cast<cudaStream_t>(stream);
}
"""

SCALE = """\
#include "numbers_cuda.h"
namespace {
__device__ int launches;
template <typename T> __global__ void scale_kernel(T *numbers, T factor, int64_t count) {
  int64_t const i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) numbers[i] *= factor;
  if (i == 0) atomicAdd(&launches, 1);
}
}  // namespace
void scale(torch::stable::Tensor numbers, double factor) {
  int64_t const count = numbers.numel();
  scale_kernel<float><<<(count + 255) / 256, 256, 0, stream_of(numbers)>>>(
      numbers.mutable_data_ptr<float>(), static_cast<float>(factor), count);
  STD_TORCH_CHECK(cudaGetLastError() == cudaSuccess, "scale: not launched");
}
"""

SHIFT = """\
#include <hip/hip_runtime.h>
#include <torch/csrc/stable/tensor.h>
__global__ void shift_kernel(float *numbers, float addend, int64_t count) {
  int64_t const i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) numbers[i] += addend;
}
void shift(torch::stable::Tensor numbers, double addend) {
  int64_t const count = numbers.numel();
  shift_kernel<<<(count + 255) / 256, 256>>>(
      numbers.mutable_data_ptr<float>(), static_cast<float>(addend), count);
}
"""

SCALE_SOURCE, SHIFT_SOURCE = "numbers/scale.cu", "numbers/shift.hip"
FILES = {
    "build.toml": BUILD,
    "torch-ext/torch_binding.cpp": BINDING,
    "torch-ext/tiny/__init__.py": "from ._ops import ops\n\nscale, shift = ops.scale, ops.shift\n",
    "numbers/numbers_cuda.h": HEADER,
    SCALE_SOURCE: SCALE,
    SHIFT_SOURCE: SHIFT,
}


def rocm_kernel(folder: Path, files: dict[str, str] | None = None, /, **build: str) -> TinyKernel:
    """Write the kernel; `build` replaces the value of a key of its component."""
    return make_kernel(folder, {**FILES, **(files or {})}, build)


def with_archs(*names: str) -> dict[str, str]:
    return {"rocm-archs": json.dumps(names)}


class RocmVariant(TakenApart):
    """One variant, instantiated."""

    def passes(self, source: str) -> dict[str, Derivation]:
        """Return the derivations of a unit's device code by target."""
        return {
            item.env["targets"].splitlines()[0].removeprefix("--offload-arch="): item
            for item in self.inputs_of_code(source)
            if "targets" in item.env
        }


def read_rocm(folder: Path, name: str = STABLE, arguments: str = STAND_INS) -> RocmVariant:
    built = f"{outputs_of(folder, arguments)}.redistributable.{json.dumps(name)}"
    data = evaluate(f"({OUTLINE}) {built}")
    return RocmVariant(data["drv"], data["plan"], tuple(data["objects"]))
