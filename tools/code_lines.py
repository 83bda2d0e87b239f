#!/usr/bin/env python3
"""Prints how many lines of code each part of the command line has, and how many it may have.

Docstrings, comments and blank lines do not count, so that nobody saves them.
"""

import ast
import io
import sys
import tokenize
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1] / "python" / "src" / "kernel_builder"
# The core is all that is in no other part. A part may shrink; it grows only by a decision.
CORE = "core"
LIMITS = {
    CORE: 4115,
    "import_check": 1840,
    "trust": 895,
    "authoring": 460,
    "compatible": 120,
    "mirrors": 540,
    "hub_cache": 229,
    "porting": 1320,
    "publishing": 576,
    "report": 105,
}
NO_CODE = {"COMMENT", "NL", "NEWLINE", "INDENT", "DEDENT", "ENDMARKER"}
WITH_DOCSTRING = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def count_lines(text: str) -> int:
    """Return the number of lines of code in a Python file."""
    lines = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if tokenize.tok_name[token.type] not in NO_CODE:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, WITH_DOCSTRING) and ast.get_docstring(node) is not None:
            lines.difference_update(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    return len(lines)


def count_parts(source: Path) -> "Mapping[str, int]":
    """Return the lines of code of each part of the package in a folder."""
    parts = Counter(dict.fromkeys(LIMITS, 0))
    for file in source.rglob("*.py"):
        folder = file.relative_to(source).parts[0]
        if folder != "templates":
            parts[folder if folder in LIMITS else CORE] += count_lines(file.read_text(encoding="utf-8"))
    return parts


if __name__ == "__main__":
    counted = count_parts(SOURCE)
    for name, most in LIMITS.items():
        print(f"{name:<13} {counted[name]:>5} lines of code, at most {most}")
    sys.exit(any(counted[name] > most for name, most in LIMITS.items()))
