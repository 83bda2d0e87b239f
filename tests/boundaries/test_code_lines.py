"""The parts of the command line stay below their numbers of lines of code."""

import runpy
import sys
from pathlib import Path

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
    assert {*TABLE, "core", "import_check"} == {
        line.split()[0] for line in done.stdout.splitlines()
    }


def test_code_alone_counts(tmp_path: Path) -> None:
    counter = runpy.run_path(str(PROGRAM))
    assert counter["count_lines"](TEXT) == 5
    for name in ("a.py", "trust/b.py", "templates/c.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(TEXT)
    counted = counter["count_parts"](tmp_path)
    assert {name: lines for name, lines in counted.items() if lines} == {"core": 5, "trust": 5}
