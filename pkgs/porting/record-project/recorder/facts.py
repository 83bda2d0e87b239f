"""The answers of a machine with one backend: Torch's functions, and folders of toolkits."""

import os
import platform
import shlex
import sys
from types import SimpleNamespace
from typing import Any

import torch
import torch.utils.cpp_extension as extension

CAPABILITY = (9, 0)
# Variables with flags of compilers.
VARIABLES = {"cxx": ("CPPFLAGS", "CFLAGS", "CXXFLAGS"), "nvcc": ("NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS")}


def read_flags(*names: str) -> "list[str]":
    """Return the flags of variables, which a description may set for its compiler."""
    return [each for name in names for each in shlex.split(os.environ.get(name, "")) if each.startswith("-")]


def apply(backend: str, queries: "set[str]") -> None:
    """Let this process answer as on a machine with one backend; `queries` gets what was asked of its device."""
    is_gpu = backend in ("cuda", "rocm")

    def answer(name: str, value: Any) -> Any:
        def function(*_words: Any, **_more: Any) -> Any:
            queries.add(name)
            return value

        return function

    properties = SimpleNamespace(
        name="GPU", major=CAPABILITY[0], minor=CAPABILITY[1], total_memory=2**36, multi_processor_count=132,
        gcnArchName="gfx942", warp_size=32,
    )  # fmt: skip
    torch.cuda.is_available = lambda: is_gpu
    torch.cuda.device_count = lambda: int(is_gpu)
    torch.cuda.get_device_capability = answer("capability", CAPABILITY)
    torch.cuda.get_device_properties = answer("properties", properties)
    torch.cuda.get_device_name = answer("name", "GPU")
    torch.cuda.current_device = lambda: 0
    torch.cuda.init = torch.cuda._lazy_init = lambda: None
    if is_gpu:
        # A description computes it on a GPU, to see that it works.
        torch.Tensor.cuda = lambda self, *_words, **_more: self
    torch.cuda.get_arch_list = lambda: ["sm_80", "sm_90"] if backend == "cuda" else []
    torch.version.cuda = os.environ["cuda_version"] if backend == "cuda" else None
    torch.version.hip = "7.0.0" if backend == "rocm" else None
    extension.IS_HIP_EXTENSION = backend == "rocm"
    extension.ROCM_HOME = "/opt/rocm" if backend == "rocm" else None
    extension.ROCM_VERSION = (7, 0) if backend == "rocm" else None
    extension.CUDA_HOME = os.environ["cuda_home"] if backend == "cuda" else None
    extension.CUDNN_HOME = None
    extension.SYCL_HOME = "/opt/intel/oneapi" if backend == "xpu" else None
    for name in ("CUDA_HOME", "CUDA_PATH"):
        if extension.CUDA_HOME:
            os.environ[name] = extension.CUDA_HOME
    torch.xpu.is_available = lambda: backend == "xpu"
    torch.xpu.device_count = lambda: int(backend == "xpu")
    torch.backends.mps.is_available = torch.backends.mps.is_built = lambda: backend == "metal"
    torch.backends.cuda.is_built = lambda: is_gpu
    # Torch itself asks for these when they are read.
    torch.has_cuda, torch.has_mps = is_gpu, backend == "metal"
    if backend == "metal":
        sys.platform = "darwin"
        platform.system = lambda: "Darwin"
        platform.machine = lambda: "arm64"
        platform.mac_ver = lambda *_words: ("14.0", ("", "", ""), "arm64")
