"""The Python files of a kernel, as Python reads them."""

from __future__ import annotations

import ast
import sys
import tokenize
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from checking.problem import Problem

# The oldest Python that a supported Torch has. Binaries load on 3.9, as the ABI check wants it.
OLDEST = (3, 10)
WANT = f"syntax of Python {OLDEST[0]}.{OLDEST[1]}, the oldest that may import the kernel"


@dataclass(frozen=True)
class File:
    """A Python file: `path` is relative to the kernel's package, `at` is its name in messages.

    `tree` is None if this Python cannot read the file. `problem` says why the oldest Python cannot.
    """

    path: str
    at: str
    tree: ast.Module | None
    problem: Problem | None

    @property
    def module(self) -> tuple[str, ...]:
        """The parts of the module's name below the kernel's package; none for the package."""
        *folders, name = self.path[: -len(".py")].split("/")
        return tuple(folders) if name == "__init__" else (*folders, name)

    @property
    def package(self) -> tuple[str, ...]:
        """The package that relative imports of the file begin at."""
        return tuple(self.path.split("/")[:-1])


def read_file(file: Path, path: str, shown_as: str) -> File:
    """Read one file. It may begin with a line that names its coding."""
    at, tree, content = f"{shown_as}/{path}", None, ""
    try:
        # `compile` of bytes accepts bytes in comments that an import refuses.
        with tokenize.open(file) as stream:
            content = stream.read()
        return File(path, at, ast.parse(content, feature_version=OLDEST), None)
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None) or 1
        text = getattr(error, "msg", None) or str(error)
    with suppress(SyntaxError, ValueError):
        tree = ast.parse(content) if content else None
    fix = "write it without the newer syntax, or import the file under `if sys.version_info >= …` alone"
    if tree is None:
        fix = f"correct the syntax; this check reads Python {sys.version_info[0]}.{sys.version_info[1]}"
    return File(path, at, tree, Problem(f"{at}:{line}", text, WANT, fix))


def read_files(folder: Path, shown_as: str) -> Sequence[File]:
    """Read the Python files below a folder."""
    files = sorted(folder.rglob("*.py"))
    return [read_file(file, file.relative_to(folder).as_posix(), shown_as) for file in files]
