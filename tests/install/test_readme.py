"""The commands of the README's Quick start, in their order, on a bare Debian 12."""

import re
from collections.abc import Iterator

import pytest

from tests.evaluation import ROOT
from tests.machines.debian import Debian, debian_or_skip
from tests.tiny_kernel import commit_all

START = re.compile(r"^## Quick start\n(.*?)^## ", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
# A checkout without what the commands do not need.
PARTS = ("install.sh", "default.nix", "flake.nix", "flake.lock", "backends", "examples", "install")
LIBRARY = ("lib", "overlays", "pkgs", "python", "stand-ins", "tools")


@pytest.fixture
def machine() -> Iterator[Debian]:
    with debian_or_skip("bookworm") as machine:
        for part in (*PARTS, *LIBRARY):
            machine.give(ROOT / part, f"/src/{part}")
        commit_all(machine.root / "src")
        yield machine


def test_every_line_works_as_pasted(machine: Debian) -> None:
    start = START.search((ROOT / "README.md").read_text("utf-8"))
    assert start
    blocks = BLOCK.findall(start[1])
    assert len(blocks) >= 3
    # One terminal: a block goes on where the one before it ended.
    answer = machine.ask("set -ex; cd /src\n" + "\n".join(blocks), status=0)
    # relu prints its tensor, and the kernel's own tests have run.
    assert "tensor([" in answer.said, answer
    assert re.search(r"\b\d+ passed\b", answer.said), answer
