"""No two public functions or classes of the command line share a name, so a search finds one."""

from __future__ import annotations

import ast
from collections import Counter

from tests.boundaries.source_tree import files_of
from tests.evaluation import ROOT

SOURCE = "python/src/kernel_builder"


def test_public_names_are_unique() -> None:
    files = [
        file
        for file in files_of(ROOT)
        if file.is_below(SOURCE)
        and not file.is_below(f"{SOURCE}/templates")
        and file.suffix == ".py"
    ]
    names = Counter(
        node.name
        for file in files
        for node in ast.parse(file.text or "").body
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and not node.name.startswith("_")
    )
    assert len(names) > 100
    # A program starts at its `main`.
    assert {name for name, count in names.items() if count > 1} <= {"main"}
