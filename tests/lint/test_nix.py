"""Nix parses each of its files, and no name is unused: neither Debian nor PyPI has deadnix."""

from __future__ import annotations

import re
import subprocess

import pytest

from tests.boundaries.source_tree import File, nix_files
from tests.lint.linter import ROOT
from tests.lint.unused import unused

FILES = list(nix_files(ROOT))
each_file = pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)


def parse(expression: str) -> str:
    """Return an expression as Nix prints it; it also says which variables are not defined."""
    done = subprocess.run(
        ["nix-instantiate", "--parse", "-"],
        input=expression,
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    if done.returncode != 0:
        pytest.fail(done.stderr, pytrace=False)
    return done.stdout


@each_file
def test_nix_reads_it_and_every_name_is_used(file: File) -> None:
    assert file.text is not None
    assert unused(parse(file.text)) == []


@each_file
def test_its_lines_are_clean(file: File) -> None:
    assert file.text is not None
    odd = [
        f"{file.name}:{number}: a tab, or a space at the end"
        for number, line in enumerate(file.text.split("\n"), 1)
        if re.search(r"\t|\s$", line)
    ]
    assert odd == []
    assert file.text.endswith("\n")
    assert not file.text.endswith("\n\n")


@pytest.mark.parametrize(
    ("expression", "names"),
    [
        ("{ a, b }: a", ["b"]),
        ("{ a, b ? a, ... }@c: b", ["c"]),
        ("a: b: b", ["a"]),
        ("s: let inherit (s) a b; in a", ["b"]),
        ("let a = 1; in { x = { a = 2; }; }", ["a"]),
        ('let a = "x"; in "${a}y"', []),
    ],
)
def test_unused_names_are_found(expression: str, names: list[str]) -> None:
    assert unused(parse(expression)) == names
