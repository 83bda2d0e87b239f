"""Kernels that must not become variants: the right check refuses each, with the right message."""

import re
import shutil
from pathlib import Path

import pytest

from kernel_builder.messages.problem import render
from kernel_builder.variants import make
from tests.evaluation import ROOT, VARIANT, read_variant
from tests.expected import Expected
from tests.tiny_kernel import TinyKernel

VIOLATIONS = ROOT / "tests" / "build" / "violations"
KERNELS = sorted(file.parent.name for file in VIOLATIONS.glob("*/message"))


def message_of(drv: str) -> str:
    """Build what must fail; return the message of `build` without what differs each time."""
    _, failures = make.build([drv]).describe_problems([drv])
    assert failures
    text = render("error: tiny does not build", failures) + "\n"
    text = re.sub(r"\n +\(the whole log: .*\)", "", text)
    text = re.sub(r"_tiny_cpu_[0-9a-f]{16}", "_tiny_cpu_<uid>", text)
    return text.replace(VARIANT, "<variant>")


@pytest.mark.parametrize("name", KERNELS)
def test_a_kernel_is_refused(name: str, tmp_path: Path, expected: Expected) -> None:
    tiny = TinyKernel(tmp_path / "tiny")
    ignore = shutil.ignore_patterns("message")
    shutil.copytree(VIOLATIONS / name, tiny.folder, dirs_exist_ok=True, ignore=ignore)
    expected(VIOLATIONS / name / "message", message_of(read_variant(tiny.folder).drv))
