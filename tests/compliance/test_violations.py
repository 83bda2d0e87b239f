"""Kernels that must not become variants: the right check refuses each, with the right message."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.derivation import named
from tests.evaluation import (
    ROOT,
    VARIANT,
    NixError,
    build,
    evaluate,
    path_of,
    read_log,
    read_variant,
)
from tests.tiny_kernel import TinyKernel

VIOLATIONS = ROOT / "tests" / "build" / "violations"
KERNELS = sorted(file.parent.name for file in VIOLATIONS.glob("*/check"))
OWN_FILES = ("check", "message")


def message_of(drv: str) -> str:
    """Return the log of a derivation that must fail, without the parts that differ each time."""
    with pytest.raises(NixError):
        build(drv)
    log = read_log(drv)
    # The stack of a C++ exception has addresses.
    log = re.sub(r"(?s)Exception raised from .*?(?=\nerror: )", "", log)
    log = re.sub(r"_tiny_cpu_[0-9a-f]{16}", "_tiny_cpu_<uid>", log)
    return re.sub(r"[0-9a-z]{32}-tiny", "<hash>-tiny", log).replace(VARIANT, "<variant>")


def expected(name: str) -> str:
    return (VIOLATIONS / name / "message").read_text()


@pytest.mark.parametrize("name", KERNELS)
def test_a_kernel_is_refused(name: str, tmp_path: Path) -> None:
    tiny = TinyKernel(tmp_path / "tiny")
    ignore = shutil.ignore_patterns(*OWN_FILES)
    shutil.copytree(VIOLATIONS / name, tiny.folder, dirs_exist_ok=True, ignore=ignore)
    check = (VIOLATIONS / name / "check").read_text().strip()
    variant = read_variant(tiny.folder)
    assert message_of(named(variant.drv, f"-{check}").path) == expected(name)
    # The variant does not exist.
    with pytest.raises(NixError):
        build(variant.drv)


def test_a_binary_that_wants_a_newer_glibc_is_refused() -> None:
    packages = f"(import {path_of(ROOT)}).packages.${{builtins.currentSystem}}"
    arguments = f'{{ packages = {packages}; variant = "{VARIANT}"; }}'
    folder = VIOLATIONS / "glibc-2.38"
    drv = evaluate(f"(import {path_of(folder)} {arguments}).drvPath")
    assert message_of(str(drv)) == expected("glibc-2.38")


def test_the_same_kernel_without_a_violation_is_a_variant(tmp_path: Path) -> None:
    built = build(read_variant(TinyKernel(tmp_path / "tiny").folder).drv)
    assert (built / "metadata.json").is_file()
