"""`push`: what is there already is not sent again, and nothing of a variant that failed."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.command_line import Cli
from tests.cli.fake_kernel import FakeKernel


def test_a_push_and_another_one(cli: Cli, kernel: FakeKernel, tmp_path: Path) -> None:
    kernel.add("a-cpu")
    kernel.add("b-cpu", script='"exit 1"')
    words = ("push", f"file://{tmp_path}/cache", str(kernel.write()), "--json")
    first, again = (cli(*words) for _ in range(2))
    assert (first.status, again.status) == (1, 1)
    pushed = json.loads(first.stdout)
    assert [problem["at"] for problem in pushed["problems"]] == ["k-b-cpu"]
    # The variant, the bundle, and the text that refers to them.
    assert (pushed["sent"], pushed["present"]) == (3, 0)
    assert pushed["contents"].endswith("-k-contents")
    assert [json.loads(again.stdout)[key] for key in ("sent", "present")] == [0, 3]
