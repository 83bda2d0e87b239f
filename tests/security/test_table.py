"""The tables of attacks and faults: a reader can repeat each row, and the page has each file."""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from kernel_builder.commands.group import cli
from tests.evaluation import ROOT

FILES = sorted(Path(__file__).parent.glob("test_*.py"))
PAGE = ROOT / "docs" / "operations" / "security.md"
# Words of the column `command` that are no command of kernel-builder.
OTHERS = ("any", "get_kernel", "install.sh", "nix-build", "shell files", "workflows")
SCRIPT = ".ci/build-kernel"
MARKS = ("pytest.mark.attack", "pytest.mark.fault")


def marks_of(file: Path) -> Iterator[tuple[str, ...]]:
    """Return the texts of each mark in a file; "" for those that are computed."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in MARKS:
            yield tuple(
                str(each.value) if isinstance(each, ast.Constant) else "" for each in node.args
            )


def options_of(command: click.Command) -> set[str]:
    return {name for each in command.params for name in (*each.opts, *each.secondary_opts)}


def is_known(text: str) -> bool:
    """Return whether the text of a row is a command that a reader can start."""
    if not text or text in OTHERS:
        return True
    command, *words = shlex.split(text)
    if command == SCRIPT:
        steps = (ROOT / SCRIPT).read_text()
        return all(f"{word}_step()" in steps for word in words)
    found = cli.get_command(click.Context(cli), command)
    options = {word for word in words if word.startswith("-")}
    return found is not None and options <= options_of(found) | options_of(cli)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_each_row_names_a_command(file: Path) -> None:
    rows = list(marks_of(file))
    assert rows or file == Path(__file__)
    assert [row for row in rows if len(row) != 3 or not is_known(row[0])] == []


def test_no_row_is_there_twice() -> None:
    rows = [row[:2] for file in FILES for row in marks_of(file)]
    assert sorted({row for row in rows if rows.count(row) > 1}) == []


def test_the_page_has_each_file() -> None:
    """So that each promise leads to its tests, and each test to a promise."""
    named = set(re.findall(r"`(test_\w+)`", PAGE.read_text()))
    assert named == {file.stem for file in FILES if file != Path(__file__)}
