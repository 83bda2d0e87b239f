"""A Torch for a newer Python imports and tests a kernel."""

import os
from pathlib import Path

import pytest

from tests.evaluation import (
    SYSTEM,
    TEST_PACKAGES,
    VARIANT,
    build,
    call,
    evaluate,
    outputs_of,
    path_of,
)
from tests.tiny_kernel import TinyKernel

TEST = """\
import sys

import pytest
import tiny


@pytest.mark.kernels_ci
def test_answer() -> None:
    assert (tiny.answer(), sys.version_info[:2]) == (42, (3, 13))
"""


@pytest.mark.skipif(SYSTEM != "x86_64-linux", reason="its Torch is for x86_64-linux")
def test_its_tests_run(tmp_path: Path) -> None:
    kernel = TinyKernel(tmp_path / "tiny", {"tests/test_answer.py": TEST})
    overlay = f"overlays = [ (import {path_of(TEST_PACKAGES / 'torch-of-newer-python.nix')}) ];"
    # The build of the variant has imported it.
    drv = evaluate(f"{outputs_of(kernel.folder, overlay)}.ciTests.{VARIANT}.drvPath")
    program = build(drv) / "bin" / "ci-test"
    home = {**os.environ, "HOME": str(tmp_path)}
    assert "1 passed" in call(program, env=home).stdout
