"""auditwheel and abi3audit agree with the check."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.evaluation import build, read_variant
from tests.tiny_kernel import TinyKernel


@pytest.fixture(scope="module")
def binary(tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = build(read_variant(TinyKernel(tmp_path_factory.mktemp("tiny")).folder).drv)
    (found,) = built.glob("*.abi3.so")
    return found


def run(*argv: str | Path) -> str:
    done = subprocess.run([*map(str, argv)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_abi3audit_finds_nothing(binary: Path, audit_python: Path) -> None:
    program = audit_python.parent / "abi3audit"
    options = ("--assume-minimum-abi3", "3.9", "--report")
    (spec,) = json.loads(run(program, *options, binary))["specs"].values()
    assert spec["object"]["result"]["is_abi3"] is True
    assert spec["object"]["result"]["is_abi3_baseline_compatible"] is True
