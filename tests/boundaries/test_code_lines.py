"""Each part of the project stays below its limit."""

import runpy
import sys
from pathlib import Path

import pytest

from kernel_builder.extras import TABLE
from tests.evaluation import ROOT, call

PROGRAM = ROOT / "tools" / "code_lines.py"
TEXT = '''"""Two
lines."""

import os  # a comment


# A comment.
def f():
    """One line."""
    return """a text

of three lines"""
'''


def test_every_part_is_below_its_limit() -> None:
    argv = [sys.executable, "-I", str(PROGRAM)]
    done = call(*argv)
    others = {"core", "import_check", "backends", "lib", "overlays", "pkgs", "tests"}
    assert {*TABLE, *others} == {line.split()[0] for line in done.stdout.splitlines()}


def test_code_alone_counts(tmp_path: Path) -> None:
    counter = runpy.run_path(str(PROGRAM))
    assert counter["count_lines"](TEXT) == 5
    for name in ("a.py", "trust/b.py", "templates/c.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(TEXT)
    counted = counter["count_parts"](tmp_path)
    assert {name: lines for name, lines in counted.items() if lines} == {"core": 5, "trust": 5}


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("{ a, b }: a + b.c-d", 11),
        ('{ a,\n  b\n}:\n# a comment\na + /* and "one" */ b.c-d', 11),
        # Words of a text count, a sign of a comment in it does not begin one.
        ('"a # b ${c /* d */} e"', 10),
        ("''a # b ''${c} e'' # d", 12),
        ('{ a = "\\"}"; }  # "', 10),
    ],
)
def test_nix_is_counted_the_same_in_any_format(text: str, tokens: int) -> None:
    assert runpy.run_path(str(PROGRAM))["count_tokens"](text) == tokens
