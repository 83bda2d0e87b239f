"""A kernel whose Torch is for the newer Python is imported and tested with that Python."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.evaluation import SYSTEM, TEST_PACKAGES, VARIANT, build, evaluate, outputs_of, path_of
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
    done = subprocess.run([program], env=home, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed" in done.stdout
