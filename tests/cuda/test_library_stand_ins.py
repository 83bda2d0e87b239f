"""The import check of a CUDA variant, without libraries that only a GPU needs."""

import subprocess
from pathlib import Path

import pytest

from tests.cuda.cuda_kernel import ADD, ADD_SOURCE, BUILD, cuda_kernel, read_one, with_capabilities
from tests.derivation import closure_of, named
from tests.evaluation import NixError, build, read_log

LARGE = "python-nvidia-cudnn-"
RUNTIME = "python-nvidia-cuda-runtime-"
TRITON = "python-triton-"
# Calls of libraries that Torch does not call for a kernel. Versions of NVRTC's symbols have a
# hyphen, which no linker script can name. No build machine has the driver.
CALLING = ADD.replace(
    "\n", "\n#include <cublas_v2.h>\n#include <cuda.h>\n#include <nvrtc.h>\n", 1
).replace(
    "return true;",
    """
  int version, major, minor;
  return cublasGetVersion_v2(nullptr, &version) == CUBLAS_STATUS_SUCCESS &&
         nvrtcVersion(&major, &minor) == NVRTC_SUCCESS && cuInit(0) == CUDA_SUCCESS;""",
)
CALLED = ("libcublas.so.13", "libnvrtc.so.13", "libcuda.so.1")
LIBRARIES = """\
import torch
print(torch.cuda.is_available())
with open("/proc/self/maps") as maps:
    print(*sorted({line.split("/", 1)[1].strip() for line in maps if "/libcu" in line}), sep="\\n")
"""
VERSION = "import torch\n\nVERSION = torch.backends.cudnn.version()\n"


def has(drv: str, name: str) -> bool:
    """Return whether a derivation needs a package whose name begins with a prefix."""
    return any(item.name.startswith(name) for item in closure_of(drv))


def test_only_the_runtime_is_fetched(tmp_path: Path) -> None:
    drv = read_one(cuda_kernel(tmp_path).folder).drv
    assert not has(drv, LARGE)
    assert not has(drv, TRITON)
    assert has(drv, RUNTIME)


def test_libraries_that_the_kernel_calls_are_linked(tmp_path: Path) -> None:
    for text, libraries in ((CALLING, {*CALLED}), (ADD, set())):
        kernel = cuda_kernel(tmp_path, {ADD_SOURCE: text}, **with_capabilities("9.0"))
        drv = read_one(kernel.folder).drv
        assert not has(drv, LARGE)
        # The build's checks fail if a symbol is missing, or a library is not allowed.
        (extension,) = build(drv).glob("*.so")
        content = extension.read_bytes()
        assert {library for library in CALLED if library.encode() in content} == libraries


def test_a_package_may_import_triton(tmp_path: Path) -> None:
    license_line = 'license = "mit"\n'
    text = BUILD.replace(license_line, f'{license_line}python-depends = ["einops"]\n')
    assert has(read_one(cuda_kernel(tmp_path, {"build.toml": text}).folder).drv, TRITON)


def test_torch_finds_them(tmp_path: Path) -> None:
    drv = read_one(cuda_kernel(tmp_path).folder).drv
    python = build(named(drv, "get-kernel-check-python").path) / "bin/python3"
    said = subprocess.check_output([python, "-B", "-c", LIBRARIES], text=True).splitlines()
    assert said[0] == "False"
    assert {Path(path).name for path in said[1:]} >= {"libcudnn.so.9", "libcublas.so.13"}
    real = [Path(path).name for path in said[1:] if "-stand-ins/" not in path]
    assert [name for name in real if name.startswith("libcud")] == ["libcudart.so.13"]


def test_a_call_of_a_stand_in_names_its_line(tmp_path: Path) -> None:
    kernel = cuda_kernel(tmp_path, {"torch-ext/tiny/__init__.py": VERSION})
    drv = read_one(kernel.folder).drv
    with pytest.raises(NixError):
        build(drv)
    said = read_log(named(drv, "-get-kernel-check").path)
    assert "torch-ext/tiny/__init__.py:3: VERSION = torch.backends.cudnn.version()" in said
    assert "want   an import that works on every machine" in said
