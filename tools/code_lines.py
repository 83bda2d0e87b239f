#!/usr/bin/env python3
"""Prints the size of each part of the project, and how large it may be.

The command line is counted in lines of code: docstrings, comments and blank lines do not count, so
that nobody saves them. Nix is counted in words, numbers and signs outside of comments, which are
the same in any format. Tests are counted in lines of all their files.

A commit that raises a limit says why.
"""

import ast
import io
import re
import subprocess
import sys
import tokenize
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "python" / "src" / "kernel_builder"
# Parts that run in the sandbox, by the folders beside.
SANDBOX = {"porting": ("pkgs/porting", "stand-ins/porting")}
# The core is all that is in no other part. A part may shrink; it grows only by a decision.
CORE = "core"
LIMITS = {
    CORE: 4100,
    "import_check": 1845,
    "trust": 960,
    "authoring": 740,
    "compatible": 120,
    "mirrors": 563,
    "hub_cache": 229,
    "porting": 2710,
    "publishing": 839,
    "report": 111,
}
# Tokens of the Nix files of a folder.
NIX_LIMITS = {"backends": 9_190, "lib": 47_810, "overlays": 826, "pkgs": 16_530}
TESTS, TEST_LINES = "tests", 47_800
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


def count_parts(source: Path, root: "Path | None" = None) -> "Mapping[str, int]":
    """Return the lines of code of each part of the package in a folder, and of its scripts below `root`."""
    parts = Counter(dict.fromkeys(LIMITS, 0))
    for part, folders in SANDBOX.items() if root else ():
        for file in (file for folder in folders for file in (root / folder).rglob("*.py")):
            parts[part] += count_lines(file.read_text(encoding="utf-8"))
    for file in source.rglob("*.py"):
        folder = file.relative_to(source).parts[0]
        if folder != "templates":
            parts[folder if folder in LIMITS else CORE] += count_lines(file.read_text(encoding="utf-8"))
    return parts


TOKEN = re.compile(r"[A-Za-z_][A-Za-z0-9_'-]*|[0-9]+|\S")
# In Nix, outside of strings and inside of the two kinds of strings. In an indented string, two
# quotes and another sign stand for signs of the text.
OUTSIDE = re.compile(r"""(?P<comment>\#[^\n]*|/\*.*?\*/)|(?P<text>''|")|(?P<open>\{)|(?P<close>\})""", re.DOTALL)
INSIDE = {
    '"': re.compile(r"""(?P<sign>\\.)|(?P<text>")|(?P<open>\$\{)""", re.DOTALL),
    "''": re.compile(r"""(?P<sign>''(?:\$|'|\\.))|(?P<text>'')|(?P<open>\$\{)""", re.DOTALL),
}


def count_tokens(text: str) -> int:
    """Return the number of words, numbers and signs in a Nix file, without its comments."""
    kept, at, stack = "", 0, [""]
    while found := INSIDE.get(stack[-1], OUTSIDE).search(text, at):
        kept += text[at : found.start()]
        at = found.end()
        if found.lastgroup == "comment":
            kept += " "
            continue
        kept += found[0]
        is_end = found.lastgroup == "text" and stack[-1] in INSIDE
        if is_end or found.lastgroup == "close":
            stack[1:] = stack[1:-1]
        elif found.lastgroup != "sign":
            stack.append(found[0] if found.lastgroup == "text" else "{")
    return len(TOKEN.findall(kept + text[at:]))


def list_files(folder: str) -> "list[Path]":
    """Return the files of a folder that git tracks."""
    argv = ["git", "-C", str(ROOT), "ls-files", "-z", folder]
    names = subprocess.run(argv, capture_output=True, text=True, check=True).stdout.split("\0")
    # A file that is removed may still be tracked.
    return [path for name in names if name and (path := ROOT / name).is_file()]


def count_nix(folder: str) -> int:
    """Return the tokens of the Nix files of a folder."""
    files = (path for path in list_files(folder) if path.suffix == ".nix")
    return sum(count_tokens(path.read_text(encoding="utf-8")) for path in files)


def measure_all() -> "list[tuple[str, int, int, str]]":
    """Return the name, the size, the limit and the unit of each part."""
    counted = count_parts(SOURCE, ROOT)
    parts = [(name, counted[name], most, "lines of code") for name, most in LIMITS.items()]
    parts += [(name, count_nix(name), most, "tokens") for name, most in NIX_LIMITS.items()]
    lines = sum(path.read_bytes().count(b"\n") for path in list_files(TESTS))
    return [*parts, (TESTS, lines, TEST_LINES, "lines")]


if __name__ == "__main__":
    measured = measure_all()
    for name, size, most, unit in measured:
        print(f"{name:<13} {size:>6} {unit}, at most {most}")
    sys.exit(any(size > most for _, size, most, _ in measured))
