"""A kernel that has no code for the AMD GPU raises an error, with a stand-in for HIP's runtime.

The kernel is for TVM FFI, because no Torch for ROCm can be loaded here.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from tests.derivation import closure_of, named
from tests.evaluation import SYSTEM, build
from tests.rocm.rocm_kernel import RocmVariant, read_rocm, rocm_kernel
from tests.rocm.test_code_objects import fetched
from tests.stand_in_runtime import call_with, compile_runtime
from tests.tiny_kernel import TinyKernel

STAND_IN = Path(__file__).parent / "stand-in" / "runtime.c"
NAME = f"tvm-ffi01-rocm72-{SYSTEM}"
# GPUs of machines, as HIP names them.
ALONE = "gfx942:sramecc+:xnack-"
MIXED = f"gfx1100,{ALONE},gfx90a:sramecc+:xnack-,gfx94,gfx1030"

BUILD = """\
[general]
name = "tiny"
version = 1
edition = 5
license = "mit"
backends = ["rocm"]

[tvm-ffi]
src = ["tvm-ffi-ext/binding.cpp"]

[kernel.numbers]
depends = []
backend = "rocm"
rocm-archs = ["gfx90a", "gfx942"]
src = ["numbers/launch.h", "numbers/launch.hip"]

[kernel.others]
depends = []
backend = "rocm"
rocm-archs = ["gfx1030"]
src = ["others/empty.hip"]
"""
BINDING = """\
#include <tvm/ffi/function.h>

#include "../numbers/launch.h"

TVM_FFI_DLL_EXPORT_TYPED_FUNC(launch, launch);
"""
LAUNCH = """\
#include <hip/hip_runtime.h>

#include "launch.h"

__global__ void add_kernel(float *numbers) { numbers[threadIdx.x] += 1; }

int64_t launch(int64_t way, int64_t stream_number) {
  auto const kernel = reinterpret_cast<void const *>(&add_kernel);
  auto const stream = reinterpret_cast<hipStream_t>(stream_number);
  hipLaunchConfig_t configuration = {};
  configuration.stream = stream;
  hipFuncAttributes attributes;
  void *arguments[1] = {};
  switch (way) {
  case 0:
    add_kernel<<<1, 1, 0, stream>>>(nullptr);
    return hipGetLastError();
  case 1:
    return hipLaunchKernel_spt(kernel, 1, 1, arguments, 0, stream);
  case 2:
    return hipLaunchCooperativeKernel(kernel, 1, 1, arguments, 0, stream);
  case 3:
    return hipLaunchCooperativeKernel_spt(kernel, 1, 1, arguments, 0, stream);
  case 4:
    return hipExtLaunchKernel(kernel, 1, 1, arguments, 0, stream, nullptr, nullptr, 0);
  case 5:
    return hipLaunchKernelExC(&configuration, kernel, arguments);
  case 6:
    return hipFuncSetAttribute(kernel, hipFuncAttributeMaxDynamicSharedMemorySize, 65536);
  case 7:
    return hipFuncGetAttributes(&attributes, kernel);
  default:
    return hipGetLastError();
  }
}
"""
LAUNCHES, SET, GET, LAST_ERROR = range(6), 6, 7, 8
FILES = {
    "build.toml": BUILD,
    "tvm-ffi-ext/binding.cpp": BINDING,
    "tvm-ffi-ext/tiny/__init__.py": "from ._ops import ops\n\nlaunch = ops.launch\n",
    "numbers/launch.h": "#include <cstdint>\nint64_t launch(int64_t way, int64_t stream);\n",
    "numbers/launch.hip": LAUNCH,
    "others/empty.hip": "",
}
# The input has calls: the current GPU, the status of a launch, the way, and the stream.
CALLS = """\
import ctypes, json, sys
import tiny

runtime, answers = ctypes.CDLL(None), []
for device, status, way, stream in json.load(sys.stdin):
    runtime.stand_in_set(device, status)
    before = runtime.stand_in_launches()
    try:
        answer = tiny.launch(way, stream)
    except RuntimeError as error:
        answer = str(error)
    answers.append((answer, runtime.stand_in_launches() - before))
json.dump(answers, sys.stdout)
"""
EXPECTED = """\
tiny cannot run on this GPU (1 problem)

       at     cuda:{device}, AMD Stand-in, architecture {architecture}
       found  code for numbers: gfx90a, gfx942; others: gfx1030 in {variant}
              {file}
              {error}: its text
       want   "{architecture}" in rocm-archs
       fix    add it to build.toml and build again, \
or load a variant or version of the kernel that has it
"""
INVALID_VALUE = 1
NO_CODE = {
    98: "hipErrorInvalidDeviceFunction",
    200: "hipErrorInvalidImage",
    209: "hipErrorNoBinaryForGpu",
    218: "hipErrorInvalidKernelFile",
}


class Kernel:
    """A built variant, and the stand-in."""

    def __init__(self, variant: RocmVariant, folder: Path) -> None:
        self.name = variant.plan["variant"]
        self.folder = build(variant.drv)
        self.library = folder / "runtime.so"
        runtime = named(variant.drv, "-launch-errors")
        # With this name, the loader takes it for the library that the extension needs.
        compile_runtime(STAND_IN, runtime, self.library, "-Wl,-soname,libamdhip64.so.7")

    def call(self, gpus: str, calls: list[tuple[int, int, int, int]]) -> list[tuple[Any, int]]:
        """Return for each call its answer, and the number of calls of the runtime."""
        python = sys.executable
        return call_with(self.library, self.folder, python, CALLS, calls, STAND_IN_GPUS=gpus)

    def message(self, error: str, architecture: str = "gfx942", device: int = 0) -> str:
        """Return the message with the facts of this build."""
        (file,) = self.folder.glob("*.so")
        return EXPECTED.format(
            variant=self.name,
            file=file.resolve(),
            error=error,
            architecture=architecture,
            device=device,
        )


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Kernel:
    folder = tmp_path_factory.mktemp("kernel")
    variant = fetched(read_rocm(TinyKernel(folder, FILES).folder, NAME))
    return Kernel(variant, tmp_path_factory.mktemp("stand-in"))


def test_statuses_of_the_runtime(kernel: Kernel) -> None:
    table = [
        # Each way to launch, and each error that means that there is no code.
        *(
            (status, way, kernel.message(error))
            for status, error in NO_CODE.items()
            for way in (*LAUNCHES, SET)
        ),
        # Torch must not meet the error again at its own next launch.
        (0, LAST_ERROR, 0),
        # Other errors, and answers to questions, are for the caller.
        *((INVALID_VALUE, way, INVALID_VALUE) for way in (*LAUNCHES, SET)),
        (209, GET, 209),
        (0, LAST_ERROR, 209),
        # Without an error, the launch runs.
        *((0, way, 0) for way in (*LAUNCHES, SET, GET)),
    ]
    answers = kernel.call(ALONE, [(0, status, way, 0) for status, way, _ in table])
    assert answers == [(wanted, int(way != LAST_ERROR)) for _, way, wanted in table]


def test_a_launch_without_code_does_not_reach_the_runtime(kernel: Kernel) -> None:
    table = [(0, "gfx1100"), (1, None), (2, None), (3, "gfx94"), (4, None)]
    calls = [(device, 0, way, 0) for device, _ in table for way in (*LAUNCHES, SET)]
    wanted = [
        (kernel.message("hipErrorNoBinaryForGpu", architecture, device), 0)
        if architecture
        else (0, 1)
        for device, architecture in table
        for _ in (*LAUNCHES, SET)
    ]
    assert kernel.call(MIXED, calls) == wanted


def test_the_gpu_is_the_one_of_the_stream(kernel: Kernel) -> None:
    # A stream of the other GPU.
    calls = [(device, 0, way, 2 - device) for device in (0, 1) for way in LAUNCHES]
    no_code = kernel.message("hipErrorNoBinaryForGpu", "gfx1100", 0)
    wanted = [(0, 1)] * len(LAUNCHES) + [(no_code, 0)] * len(LAUNCHES)
    assert kernel.call(MIXED, calls) == wanted


def test_only_the_link_knows(tmp_path: Path) -> None:
    variant = read_rocm(rocm_kernel(tmp_path).folder)
    assert any(item.name == "rocm-7.2-launch-errors" for item in closure_of(variant.drv))
    for drv in variant.objects:
        assert not any("launch-errors" in item.name for item in closure_of(drv))
