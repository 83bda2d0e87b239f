"""The table of attacks is complete."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.evaluation import ROOT

ATTACKS = {f"A{number}" for number in range(1, 59)}
FAULTS = {
    *("F1", "F2", "F3", "F3b", "F5", "F7", "F8", "F9", "F11", "F12", "F13", "F17"),
    *("F18", "F18b", "F20", "F22", "N1", "N2", "N3", "N4", "N5", "I1", "I2", "I3"),
}


def numbers_of(file: Path) -> set[str]:
    """Return the numbers that the marks of a file give."""
    return {
        node.args[0].value
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "attack"
        and isinstance(node.args[0], ast.Constant)
        and isinstance(node.args[0].value, str)
    }


def test_every_number_has_a_test() -> None:
    found = set().union(*map(numbers_of, sorted((ROOT / "tests" / "security").glob("test_*.py"))))
    assert sorted((ATTACKS | FAULTS) - found) == []
