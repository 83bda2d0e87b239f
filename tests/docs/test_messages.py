"""What the pages on errors quote is what the code says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.evaluation import ROOT

PAGES = sorted((ROOT / "docs" / "troubleshooting").glob("*.md"))
# Where messages are written, and the whole texts that other tests compare with what is said.
WRITTEN = (
    "lib/**/*.nix",
    "lib/**/*.py",
    "lib/**/*.sh",
    "pkgs/**/*.nix",
    "pkgs/**/*.py",
    "pkgs/**/*.sh",
    "python/src/**/*.py",
    "install.sh",
    "install/*.sh",
    "tests/eval-fail/*.err",
    "tests/build/violations/*/message",
)
BLOCK = re.compile(r"^```\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# What was found is mostly the reader's own.
SAID = re.compile(r"^(?:(?:error|warning|note): | *(?:want|fix) {2,})(.+?)(?: \(\d+ problems?\))?$")
OURS = re.compile(r"\(\d+ problems?\)$|^note: |^ *fix {2,}", re.MULTILINE)
# Names, places and numbers are the example's.
VARIABLE = re.compile(r"[\d/\"…<>`]")
ENOUGH = 3


@cache
def written() -> str:
    """Return all that can be said, with strings in one piece that are written in several."""
    texts = [file.read_text(encoding="utf-8") for pattern in WRITTEN for file in ROOT.glob(pattern)]
    joined = re.sub(r'"\s*\n\s*f?"', "", "\n".join(texts))
    return " ".join(joined.replace("\\", "").split())


def said_in(page: str) -> Iterator[str]:
    """Yield headlines, wants, fixes and notes of the blocks of a page that are messages of ours."""
    for block in BLOCK.findall(page):
        if OURS.search(block):
            yield from (found[1] for line in block.splitlines() if (found := SAID.match(line)))


def is_written(line: str) -> bool:
    """Say whether some words of each part of a line stand together in the code."""
    parts: list[list[str]] = [[]]
    for word in line.split():
        if VARIABLE.search(word):
            parts.append([])
        else:
            parts[-1].append(word)
    return all(_has_words(part) for part in parts if part)


def _has_words(part: list[str]) -> bool:
    size = min(ENOUGH, len(part))
    runs = (" ".join(part[start : start + size]) for start in range(len(part) - size + 1))
    return any(run in written() for run in runs)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_messages_are_those_of_the_code(page: Path) -> None:
    said = said_in(page.read_text(encoding="utf-8"))
    assert [line for line in said if not is_written(line)] == []


def test_a_message_that_nobody_says_is_found() -> None:
    page = "```\nerror: hello does not build (1 problem)\n\n       fix    bring cake to them\n```\n"
    assert list(said_in(page)) == ["hello does not build", "bring cake to them"]
    assert [is_written(line) for line in said_in(page)] == [True, False]
    assert list(said_in("```\nerror: what Nix says\n```\n")) == []
