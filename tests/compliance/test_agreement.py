"""auditwheel and abi3audit agree with the check."""

from __future__ import annotations

import json
import platform
import subprocess
import zipfile
from pathlib import Path

import pytest

from tests.evaluation import build, read_variant
from tests.tiny_kernel import TinyKernel

# Torch's libraries are not in the wheel, so auditwheel gets them as exceptions.
AUDIT = """
import sys
from pathlib import Path
from auditwheel.architecture import Architecture
from auditwheel.libc import Libc
from auditwheel.wheel_abi import analyze_wheel_abi
found = analyze_wheel_abi(
    Libc.GLIBC, Architecture(sys.argv[2]), Path(sys.argv[1]),
    frozenset(["libtorch_cpu.so", "libtorch.so", "libc10.so", "libgomp.so.1"]),
    disable_isa_ext_check=False, allow_graft=True,
)
print(found.overall_policy.name)
"""


@pytest.fixture(scope="module")
def binary(tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = build(read_variant(TinyKernel(tmp_path_factory.mktemp("tiny")).folder).drv)
    (found,) = built.glob("*.abi3.so")
    return found


def run(*argv: str | Path) -> str:
    done = subprocess.run([*map(str, argv)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_auditwheel_says_manylinux(binary: Path, audit_python: Path, tmp_path: Path) -> None:
    machine = platform.machine()
    tag = f"cp39-abi3-linux_{machine}"
    wheel = tmp_path / f"tiny-1-{tag}.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr(f"tiny/{binary.name}", binary.read_bytes())
        archive.writestr("tiny-1.dist-info/METADATA", "Name: tiny\nVersion: 1\n")
        head = "Wheel-Version: 1.0\nRoot-Is-Purelib: false"
        archive.writestr("tiny-1.dist-info/WHEEL", f"{head}\nTag: {tag}\n")
        archive.writestr("tiny-1.dist-info/RECORD", f"tiny/{binary.name},,\n")
    policy = run(audit_python, "-B", "-c", AUDIT, wheel, machine).strip()
    version = tuple(map(int, policy.split("_")[1:3]))
    assert policy.startswith("manylinux_")
    assert version <= (2, 28)


def test_abi3audit_finds_nothing(binary: Path, audit_python: Path) -> None:
    program = audit_python.parent / "abi3audit"
    options = ("--assume-minimum-abi3", "3.9", "--report")
    (spec,) = json.loads(run(program, *options, binary))["specs"].values()
    assert spec["object"]["result"]["is_abi3"] is True
    assert spec["object"]["result"]["is_abi3_baseline_compatible"] is True
