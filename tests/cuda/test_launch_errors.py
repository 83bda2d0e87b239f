"""A kernel that has no code for the GPU raises an error, with a stand-in for CUDA's runtime."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.cuda.cuda_kernel import (
    ADD,
    ADD_SOURCE,
    BINDING,
    BINDING_SOURCE,
    BUILD,
    HEADER,
    INSTEAD,
    STABLE,
    VARIANT,
    CudaVariant,
    cuda_kernel,
    read_one,
)
from tests.derivation import closure_of, named
from tests.evaluation import build, call

STAND_IN = Path(__file__).parent / "stand-in" / "runtime.c"
# Statuses of CUDA's runtime.
INVALID_VALUE, INVALID_FUNCTION, NO_IMAGE, NEW_PTX = 1, 98, 209, 222

LAUNCH = """
#include <cstdint>
int64_t launch(int64_t way) {
  auto const kernel = reinterpret_cast<void const *>(&add_kernel<float>);
  cudaLaunchConfig_t configuration = {};
  cudaFuncAttributes attributes;
  void *arguments[2] = {};
  switch (way) {
  case 0:
    return add(nullptr, 1, nullptr);
  case 1:
    return cudaLaunchKernelExC(&configuration, kernel, arguments);
  case 2:
    return cudaLaunchCooperativeKernel(kernel, 1, 1, arguments, 0, nullptr);
  case 3:
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
  case 4:
    return cudaFuncGetAttributes(&attributes, kernel);
  default:
    return cudaGetLastError();
  }
}
"""
STABLE_BINDING = """\
#include <torch/csrc/stable/library.h>

#include "../numbers/numbers.h"
#include "registration.h"

STABLE_TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, ops) { ops.def("launch(int way) -> int"); }
STABLE_TORCH_LIBRARY_IMPL_EXPAND(TORCH_EXTENSION_NAME, CompositeExplicitAutograd, ops) {
  ops.impl("launch", TORCH_BOX(&launch));
}

REGISTER_EXTENSION(TORCH_EXTENSION_NAME)
"""
FILES = {
    "torch-ext/torch_binding.cpp": BINDING.replace(
        '"ready() -> bool", &ready', '"launch(int way) -> int", &launch'
    ),
    "torch-ext/tiny/__init__.py": "from ._ops import ops\n\nlaunch = ops.launch\n",
    "numbers/numbers.h": f"{HEADER}#include <cstdint>\nint64_t launch(int64_t way);\n",
    ADD_SOURCE: ADD + LAUNCH,
}
# The input has calls: the statuses of a launch and of the question for its kernel, and the way.
CALLS = """\
import ctypes, json, sys
import torch
import tiny

runtime, answers = ctypes.CDLL(None), []
for launch, kernel, way in json.load(sys.stdin):
    runtime.stand_in_set(launch, kernel)
    try:
        answer = tiny.launch(way)
    except RuntimeError as error:
        answer = f"{type(error).__name__}: {error}"
    answers.append((answer, runtime.stand_in_configurations()))
json.dump(answers, sys.stdout)
"""
EXPECTED = """\
RuntimeError: tiny cannot run on this GPU (1 problem)

       at     cuda:0, Stand-in 5000, capability 12.0
       found  code for 8.0, 9.0 in {variant}
              {file}
              {error}
       want   {want}
       fix    {fix}
"""
NO_CODE = {
    "want": '"12.0" in cuda-capabilities, or "+PTX" at an older capability there',
    "fix": "add it to build.toml and build again, "
    "or load a variant or version of the kernel that has it",
}


class Kernel:
    """A built variant and a Python with its Torch, which finds the stand-in first."""

    def __init__(self, variant: CudaVariant, folder: Path) -> None:
        self.name = variant.plan["variant"]
        self.release = "12.4" if self.name == INSTEAD else "13.0"
        self.folder = build(variant.drv)
        python = build(named(variant.drv, "get-kernel-check-python").path)
        self.python = python / "bin" / "python3"
        self.library = str(folder / "runtime.so")
        # The compiler of the archive of launch errors, which starts programs by their names.
        archive = named(variant.drv, f"cuda-{self.release}-launch-errors").env
        gcc = shutil.which("gcc", path=archive["PATH"])
        assert gcc
        flags = ("-w", "-shared", "-fPIC", "-isystem", f"{archive['headers']}/include")
        call(gcc, *flags, STAND_IN, "-o", self.library, env={"PATH": archive["PATH"]})

    def call(self, calls: list[tuple[int, int, int]]) -> list[tuple[Any, int]]:
        """Return for each call its answer, and the number of launches that stay configured."""
        env = {"PYTHONPATH": str(self.folder), "LD_PRELOAD": self.library, "HOME": os.devnull}
        said = call(self.python, "-B", "-c", CALLS, input=json.dumps(calls), env=env)
        return [(answer, count) for answer, count in json.loads(said.stdout)]

    def message(self, error: str, want: str, fix: str) -> str:
        """Return the message with the facts of this build."""
        (file,) = self.folder.glob("*.so")
        return EXPECTED.format(
            variant=self.name, file=file.resolve(), error=error, want=want, fix=fix
        )

    def no_code(self, error: str) -> str:
        """Return the message of an error that means that there is no code for the GPU."""
        return self.message(error, **NO_CODE)


@pytest.fixture(scope="module", params=[VARIANT, STABLE, INSTEAD])
def kernel(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Kernel:
    files = dict(FILES)
    if request.param == STABLE:
        files["build.toml"] = BUILD.replace("[torch]\n", '[torch]\nstable-abi = "2.10"\n')
        files[BINDING_SOURCE] = STABLE_BINDING
    folder = tmp_path_factory.mktemp("kernel")
    variant = read_one(cuda_kernel(folder, files).folder, request.param)
    return Kernel(variant, tmp_path_factory.mktemp("stand-in"))


IMAGE_ERROR = (
    "cudaErrorNoKernelImageForDevice: no kernel image is available for execution on the device"
)
FUNCTION_ERROR = "cudaErrorInvalidDeviceFunction: invalid device function"
PTX_ERROR = (
    "cudaErrorUnsupportedPtxVersion: the provided PTX was compiled with an unsupported toolchain."
)
PTX_WANT = (
    "a driver for CUDA {release} or newer, to compile the PTX (this one is for CUDA 13.0), "
    "or code for 12.0"
)
PTX_FIX = "update the driver, or add the capability to build.toml and build again"


def test_launches(kernel: Kernel) -> None:
    """All calls are in one process, because it takes long to import Torch."""
    no_image, no_function = map(kernel.no_code, (IMAGE_ERROR, FUNCTION_ERROR))
    new_ptx = kernel.message(PTX_ERROR, PTX_WANT.format(release=kernel.release), PTX_FIX)
    # Statuses of a launch and of the question for its kernel, a way to launch, the answer.
    table = [
        # Each way to launch, and each error that means that there is no code.
        *((NO_IMAGE, 0, way, no_image) for way in range(4)),
        (INVALID_FUNCTION, 0, 0, no_function),
        (NEW_PTX, 0, 0, new_ptx),
        # Torch must not meet the error again at its own next launch.
        (0, 0, 5, 0),
        # Other errors, and answers to questions, are for the caller.
        *((INVALID_VALUE, 0, way, INVALID_VALUE) for way in range(4)),
        (NO_IMAGE, 0, 4, NO_IMAGE),
        (0, 0, 5, NO_IMAGE),
        # Without an error, the launch runs.
        *((0, 0, way, 0) for way in range(5)),
    ]
    answers = kernel.call([(launch, question, way) for launch, question, way, _ in table])
    assert answers == [(wanted, 0) for *_, wanted in table]


def test_a_kernel_that_is_not_found_is_looked_for_again(kernel: Kernel) -> None:
    no_image = kernel.no_code(IMAGE_ERROR)
    answers = kernel.call([(0, NO_IMAGE, 0), (0, NO_IMAGE, 0), (0, 0, 0)])
    assert answers == [(no_image, 0), (no_image, 0), (0, 0)]


def test_only_the_link_knows(tmp_path: Path) -> None:
    variant = read_one(cuda_kernel(tmp_path).folder)
    assert any(item.name == "cuda-13.0-launch-errors" for item in closure_of(variant.drv))
    for drv in variant.objects:
        assert not any("launch-errors" in item.name for item in closure_of(drv))
