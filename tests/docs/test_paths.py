"""The files that the documents name are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.evaluation import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
# A kernel may have folders with the names of the others.
FOLDERS = ("backends", "lib", "pkgs", "overlays", "stand-ins", "tools", r"tests/\w+(?=/test_)")
NAMED = re.compile(rf"`((?:{'|'.join(FOLDERS)})/[\w./+-]+)`")


def is_there(name: str) -> bool:
    return (ROOT / name).exists()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_paths_in_a_page_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert [name for name in NAMED.findall(text) if "NAME" not in name and not is_there(name)] == []


def test_a_path_is_found() -> None:
    text = "`lib/plan/unit.nix`, `pkgs/no-such`, `tests/unit/test_no.py` and `tests/test_kernel.py`"
    assert NAMED.findall(text) == ["lib/plan/unit.nix", "pkgs/no-such", "tests/unit/test_no.py"]
