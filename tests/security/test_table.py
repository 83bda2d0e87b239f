"""The tables of attacks and faults: a reader can repeat each row, and the page has each file."""

from __future__ import annotations

import re
from pathlib import Path

from tests.evaluation import ROOT

FILES = sorted(Path(__file__).parent.glob("test_*.py"))
PAGE = ROOT / "docs" / "operations" / "security.md"


def test_the_page_has_each_file() -> None:
    """So that each promise leads to its tests, and each test to a promise."""
    named = set(re.findall(r"`(test_\w+)`", PAGE.read_text()))
    assert named == {file.stem for file in FILES if file != Path(__file__)}
