"""Triton is an input only of kernels whose Python files import it."""

from __future__ import annotations

from tests.derivation import closure_of
from tests.evaluation import VARIANT, evaluate, outputs_of, read_variant
from tests.tiny_kernel import MODULE, TinyKernel

TRITON = "python-triton-3.7.1"


def has_triton(drv: str) -> bool:
    return TRITON in {item.name for item in closure_of(drv)}


def ci_test_of(tiny: TinyKernel) -> str:
    """Return the derivation of the variant's tests."""
    return str(evaluate(f"{outputs_of(tiny.folder)}.ciTests.{VARIANT}.drvPath"))


def test_a_kernel_without_triton_does_not_fetch_it(tiny: TinyKernel) -> None:
    tiny.write("tests/test_tiny.py", "import tiny\n")
    assert not has_triton(read_variant(tiny.folder).drv)
    assert not has_triton(ci_test_of(tiny))


def test_the_import_check_has_what_the_kernel_imports(tiny: TinyKernel) -> None:
    tiny.write("torch-ext/tiny/__init__.py", f"import triton\n{MODULE}")
    assert has_triton(read_variant(tiny.folder).drv)
    assert has_triton(ci_test_of(tiny))


def test_tests_have_what_they_import(tiny: TinyKernel) -> None:
    tiny.write("tests/deep/test_tiny.py", "from triton import language\n")
    assert not has_triton(read_variant(tiny.folder).drv)
    assert has_triton(ci_test_of(tiny))
