"""Pushing variants: what is there already is not sent again."""

from __future__ import annotations

from pathlib import Path

import kernel_builder
from kernel_builder.kernel.folder import Kernel
from kernel_builder.variants.push import push_contents
from tests.cli.fake_kernel import FakeKernel


def test_a_push_and_another_one(kernel: FakeKernel, tmp_path: Path) -> None:
    kernel.add("a-cpu")
    kernel.add("b-cpu", script='"exit 1"')
    result = kernel_builder.build_variants(kernel.write())
    assert [problem.at for error in result.errors for problem in error.problems] == ["k-b-cpu"]
    cache = f"file://{tmp_path}/cache"
    pushed = push_contents(Kernel(kernel.folder), ["a-cpu"], cache)
    # The variant, the bundle, and the text that refers to them.
    assert (pushed.sent, pushed.present) == (3, 0)
    assert pushed.contents.endswith("-k-contents")
    again = push_contents(Kernel(kernel.folder), ["a-cpu"], cache)
    assert (again.sent, again.present) == (0, 3)
