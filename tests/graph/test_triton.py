"""Triton is an input only of kernels whose Python files import it."""

import pytest

from tests.derivation import closure_of
from tests.evaluation import VARIANT, evaluate, outputs_of, read_variant
from tests.tiny_kernel import MODULE, TinyKernel

TRITON = "python-triton-3.7.1"


def has_triton(drv: str) -> bool:
    return TRITON in {item.name for item in closure_of(drv)}


@pytest.mark.parametrize(
    ("file", "text", "variant_has_it", "tests_have_it"),
    [
        ("tests/test_tiny.py", "import tiny\n", False, False),
        ("torch-ext/tiny/__init__.py", f"import triton\n{MODULE}", True, True),
        ("tests/deep/test_tiny.py", "from triton import language\n", False, True),
    ],
)
def test_triton_is_there_for_what_imports_it(
    tiny: TinyKernel, file: str, text: str, variant_has_it: bool, tests_have_it: bool
) -> None:
    tiny.write(file, text)
    tests = evaluate(f"{outputs_of(tiny.folder)}.ciTests.{VARIANT}.drvPath")
    assert has_triton(read_variant(tiny.folder).drv) == variant_has_it
    assert has_triton(tests) == tests_have_it
