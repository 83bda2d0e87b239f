"""A Torch that the kernel's flake names, and one for a newer Python, import and test a kernel."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.derivation import named
from tests.evaluation import (
    SYSTEM,
    TEST_PACKAGES,
    VARIANT,
    build,
    evaluate,
    outputs_of,
    path_of,
    read_log,
    read_variant,
    realise,
)
from tests.tiny_kernel import TinyKernel

KNOWN = "torch-2.13.0+cpu-cp311-cp311-manylinux_2_28_x86_64.whl"
OWN = KNOWN.replace("2.13.0+cpu", "2.16.0.dev20261101+cpu")


@pytest.mark.skipif(SYSTEM != "x86_64-linux", reason="the wheel is one for x86_64-linux")
def test_a_file_of_the_flake(tiny: TinyKernel) -> None:
    pin = named(read_variant(tiny.folder, f"torch213-cxx11-cpu-{SYSTEM}").drv, KNOWN)
    (wheel,) = realise(pin.path)
    shutil.copyfile(wheel, tiny.folder / OWN)
    row = (
        f'torchVersion = "2.16"; cpu = true; systems = [ "{SYSTEM}" ]; '
        f'wheel = {{ build = "2.16.0.dev20261101+cpu"; file = {path_of(tiny.folder / OWN)}; }};'
    )
    arguments = f"torchVersions = [ {{ {row} }} ];"
    variant = read_variant(tiny.folder, f"torch216-cxx11-cpu-{SYSTEM}", arguments=arguments)
    metadata = json.loads((build(variant.drv) / "metadata.json").read_text())
    assert metadata["torch-wheel"] == OWN
    assert "imported torch-ext/tiny" in read_log(named(variant.drv, "-get-kernel-check").path)


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
