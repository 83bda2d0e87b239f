"""Kernels for TVM FFI: built, loaded with and without Torch, and in kernels for Torch."""

import re
from pathlib import Path

import pytest

from tests.build.running import ask_python, run_python
from tests.derivation import named
from tests.evaluation import ROOT, SYSTEM, NixError, build, build_flake, read_log, read_variant
from tests.tiny_kernel import BUILD, TinyKernel

EXAMPLE = ROOT / "examples" / "axpy"
NAME = f"tvm-ffi01-cpu-{SYSTEM}"

LIBRARY = BUILD.replace(
    '[torch]\nsrc = ["torch-ext/torch_binding.cpp"]', '[tvm-ffi]\nsrc = ["tvm-ffi-ext/binding.cpp"]'
).replace('depends = ["torch"]', "depends = []")
BINDING = """\
#include <tvm/ffi/function.h>

#include "../answer/answer.h"

TVM_FFI_DLL_EXPORT_TYPED_FUNC(answer, answer);
"""
# A unit of a kernel for Torch that calls TVM FFI's library.
VERSION = """\
#include <tvm/ffi/c_api.h>

#include "answer.h"

int64_t answer() {
  TVMFFIVersion version;
  TVMFFIGetVersion(&version);
  return version.major * 100 + version.minor;
}
"""
COMPUTE = """
import sys
{before}
from pathlib import Path
import numpy
from kernels import get_local_kernel
kernel = get_local_kernel(Path(sys.argv[1]), backend="cpu")
x = numpy.arange(3, dtype=numpy.float32)
print(*kernel.axpy(2.0, x, numpy.ones_like(x), numpy.empty_like(x)), kernel._ops.has_torch)
"""
ANSWER_BOTH = """
import sys
from pathlib import Path
from kernels import get_local_kernel
print(*(get_local_kernel(Path(path), backend="cpu").answer() for path in sys.argv[1:]))
"""


def make_library(folder: Path, number: int = 42) -> TinyKernel:
    tiny = TinyKernel(folder, {"build.toml": LIBRARY, "tvm-ffi-ext/binding.cpp": BINDING})
    (tiny.folder / "torch-ext" / "torch_binding.cpp").unlink()
    (tiny.folder / "torch-ext" / "tiny").rename(tiny.folder / "tvm-ffi-ext" / "tiny")
    tiny.write("include/number.h", f"#define NUMBER {number}\n")
    return tiny


@pytest.fixture(scope="module")
def axpy() -> Path:
    return build_flake(f"{EXAMPLE}#redistributable.{NAME}")


def test_its_own_tests_and_its_example_run(axpy: Path, tmp_path: Path) -> None:
    tests = ("-m", "pytest", "-q", "-p", "no:cacheprovider", str(EXAMPLE / "tests"))
    said = run_python(*tests, home=tmp_path, path=axpy, cwd=tmp_path)
    assert re.search(r"^[1-9]\d* passed", said, re.MULTILINE)
    said = run_python(str(EXAMPLE / "example.py"), home=tmp_path, path=axpy)
    assert "[1. 3. 5. 7.]" in said


@pytest.mark.parametrize(
    ("before", "has_torch"), [("", "True"), ("sys.modules['torch'] = None", "False")]
)
def test_the_public_client_loads_it(
    axpy: Path, tmp_path: Path, before: str, has_torch: str
) -> None:
    said = ask_python(COMPUTE.format(before=before), str(axpy), home=tmp_path)
    assert said == f"1.0 3.0 5.0 {has_torch}"


def test_two_builds_of_one_kernel_live_in_one_process(tmp_path: Path) -> None:
    kernels = [make_library(tmp_path / str(number), number) for number in (1, 2)]
    builds = [str(build(read_variant(kernel.folder, NAME).drv)) for kernel in kernels]
    assert ask_python(ANSWER_BOTH, *builds, home=tmp_path) == "1 2"


def test_a_kernel_for_torch_calls_its_library(tmp_path: Path) -> None:
    tiny = TinyKernel(tmp_path / "tiny", {"answer/answer.cpp": VERSION})
    tiny.write(
        "build.toml",
        BUILD.replace('["torch"]', '["torch", "tvm-ffi"]').replace(
            'backends = ["cpu"]', 'backends = ["cpu"]\npython-depends = ["tvm-ffi"]'
        ),
    )
    module = tiny.folder / "torch-ext" / "tiny" / "__init__.py"
    module.write_text(f"import tvm_ffi\n\n{module.read_text()}")
    built = build(read_variant(tiny.folder).drv)
    program = "import tiny, tvm_ffi; print(tiny.answer(), *tvm_ffi.__version__.split('.')[:2])"
    answer, major, minor = ask_python(program, home=tmp_path, path=built).split()
    assert int(answer) == int(major) * 100 + int(minor)


REGISTERS = f"""\
#include <tvm/ffi/reflection/registry.h>
{BINDING}
TVM_FFI_STATIC_INIT_BLOCK() {{
  tvm::ffi::reflection::GlobalDef().def("tiny.answer", &answer);
}}
"""
# Python files of a kernel that registers a function for the whole process, and the errors.
REFUSED = {
    "from ._ops import ops\n\n\ndef answer():\n    return ops.anwser()\n": (
        "error: the kernel calls operators that it does not have",
        'fix    did you mean "answer"?',
    ),
    "from ._ops import ops\n": (
        "error: names in TVM FFI would be shared with other builds",
        "found  the global function 'tiny.answer'",
    ),
}


@pytest.mark.parametrize(("text", "said"), REFUSED.items(), ids=["misspelt", "shared"])
def test_names_of_functions(tmp_path: Path, text: str, said: tuple[str, str]) -> None:
    tiny = make_library(tmp_path)
    tiny.write("tvm-ffi-ext/binding.cpp", REGISTERS)
    tiny.write("tvm-ffi-ext/tiny/__init__.py", text)
    drv = read_variant(tiny.folder, NAME).drv
    with pytest.raises(NixError):
        build(drv)
    log = read_log(named(drv, "-get-kernel-check").path)
    assert all(each in log for each in said)
