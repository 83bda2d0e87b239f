"""Each page begins with its purpose and a command; README builds on its first screen."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.evaluation import ROOT

# Lines of a page before its first command ends.
SCREEN = 30
FOLDERS = ("guide", "operations", "reference")
PAGES = sorted(page for name in FOLDERS for page in (ROOT / "docs" / name).glob("*.md"))
COMMAND = re.compile(r"^```(?:sh|console)\n(.+?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}/{page.name}")
def test_a_page_begins_with_its_purpose_and_a_command(page: Path) -> None:
    text = page.read_text()
    _, first, *_ = [part for part in text.split("\n\n") if not part.startswith("<!--")]
    assert re.match(r"[A-Z`\[*]", first), f"a sentence, not {first!r}"
    found = COMMAND.search("\n".join(text.splitlines()[:SCREEN]) + "\n")
    assert found, f"no command in the first {SCREEN} lines"


def test_readme_builds_on_the_first_screen() -> None:
    lines = (ROOT / "README.md").read_text().splitlines()[:SCREEN]
    assert any("kernel-builder build" in line for line in lines)
    assert any("kernel-builder init" in line for line in lines)
