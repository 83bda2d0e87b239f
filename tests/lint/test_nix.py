"""Nix parses each of its files, and no name is unused: neither Debian nor PyPI has deadnix."""

from tests.boundaries.source_tree import nix_files
from tests.evaluation import ROOT, call
from tests.lint.unused import unused


def parse(*files: str) -> list[str]:
    """Return each file as Nix prints it, in one line; undefined variables are errors."""
    argv = ["nix-instantiate", "--parse", *files]
    done = call(*argv, cwd=ROOT)
    return done.stdout.splitlines()


def test_nix_reads_all_files_and_every_name_is_used() -> None:
    names = [file.name for file in nix_files(ROOT)]
    found = {name: unused(parsed) for name, parsed in zip(names, parse(*names), strict=True)}
    assert {name: unused_names for name, unused_names in found.items() if unused_names} == {}


def test_unused_names_are_found() -> None:
    text = "({ a, b ? a, ... }@c: (d: (let e = 1; f = b; in { x = { e = f; }; })))"
    assert unused(text) == ["c", "d", "e"]
