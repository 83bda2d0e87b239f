"""`auditwheel show`, the program itself, on a wheel with nothing in it but a built variant."""

from __future__ import annotations

import platform
import re
import subprocess
import zipfile
from pathlib import Path

import pytest

from tests.compatibility.test_debian import KERNELS
from tests.evaluation import (
    ROOT,
    SYSTEM,
    TEST_PACKAGES,
    VARIANT,
    build,
    build_flake,
    evaluate,
    path_of,
)

PACKAGES = f"(import {path_of(ROOT)}).packages.${{builtins.currentSystem}}"
AUDIT = f'{PACKAGES}.pythonWith {{ name = "auditwheel"; packages = [ "auditwheel" ]; }}'


def package(expression: str) -> Path:
    return build(str(evaluate(f"({expression}).drvPath")))


def put_into_wheel(variant: Path, folder: Path) -> Path:
    """Make a wheel of a variant's extension, in the few files that a wheel needs."""
    (extension,) = variant.glob("*.abi3.so")
    tag = f"cp39-abi3-linux_{platform.machine()}"
    wheel = folder / f"kernel-1-{tag}.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr(f"kernel/{extension.name}", extension.read_bytes())
        archive.writestr("kernel-1.dist-info/METADATA", "Name: kernel\nVersion: 1\n")
        head = "Wheel-Version: 1.0\nRoot-Is-Purelib: false"
        archive.writestr("kernel-1.dist-info/WHEEL", f"{head}\nTag: {tag}\n")
        archive.writestr("kernel-1.dist-info/RECORD", f"kernel/{extension.name},,\n")
    return wheel


@pytest.mark.parametrize("kernel", KERNELS)
def test_auditwheel_says_2_28_or_older(kernel: str, tmp_path: Path) -> None:
    wheel = put_into_wheel(
        build_flake(f"{ROOT}/examples/{kernel}#redistributable.{VARIANT}"), tmp_path
    )
    # auditwheel counts what the libraries of a wheel's libraries want, as if they were in it too:
    # those are Torch's, its libgomp among them, and not this machine's.
    (libraries,) = package(f"(import {path_of(TEST_PACKAGES)}).{SYSTEM}.testTorch").glob(
        "lib/python3.*/site-packages/torch/lib"
    )
    program = (package(AUDIT) / "bin/python3", "-B", "-m", "auditwheel")
    argv = [*map(str, program), "show", "--ldpaths", str(libraries), str(wheel)]
    said = subprocess.run(argv, capture_output=True, text=True, check=True).stdout
    found = re.search(r'platform\s+tag\s+to\s+"manylinux_(\d+)_(\d+)_', said)
    assert found, said
    assert (int(found[1]), int(found[2])) <= (2, 28)
