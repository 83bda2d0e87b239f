"""Read build.toml, and describe syntax errors with line and column, which Nix does not know.

The keys and their values are checked in `lib/`.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from kernel_builder.kernel.places import find_places, locate
from kernel_builder.machine.files import read_file
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.names import show

if TYPE_CHECKING:
    from tomli import TOMLDecodeError

BOM: Final = b"\xef\xbb\xbf"


def read_build_toml(folder: Path) -> tuple[str, dict[str, Any]]:
    """Return the text and the data of a folder's build.toml.

    Raises KernelBuilderError if it is not TOML, or has values that Nix cannot evaluate.
    """
    import tomli

    file = folder / "build.toml"
    shown = f"{show(folder.name)}/build.toml"
    content = read_file(file)
    if content.startswith(BOM):
        found, want = "a byte order mark (BOM, the bytes EF BB BF)", "UTF-8 without it"
        fix = "save the file as UTF-8 without BOM"
        raise KernelBuilderError(f"{shown} is not TOML", [_at(file, 1, 1, found, want, fix)])
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        column = error.start - content.rfind(b"\n", 0, error.start)
        found = f"the byte 0x{content[error.start]:02x}"
        problem = _at(file, line, column, found, "text in UTF-8", "save the file as UTF-8")
        raise KernelBuilderError(f"{shown} is not UTF-8", [problem]) from None
    try:
        data = tomli.loads(text)
        unsupported = list(_unsupported(data, ""))
    except tomli.TOMLDecodeError as error:
        raise _not_toml(file, shown, error) from None
    except RecursionError:
        want = "lists and tables that are nested a few levels deep"
        problem = _at(file, 1, 1, "values that are nested too deeply", want, "flatten them")
        raise KernelBuilderError(f"{shown} cannot be read", [problem]) from None
    if unsupported:
        want = "a string, a number, true, false, a list or a table"
        problems = [
            locate(Problem(key, found, want, fix), folder, find_places(text), is_of_file=True)
            for key, found, fix in unsupported
        ]
        raise KernelBuilderError(f"{shown} holds values that no key takes", problems)
    return text, data


def _at(file: Path, line: int, column: int, found: str, want: str, fix: str) -> Problem:
    return Problem(f"{file}:{line}:{column}", found, want, fix, str(file), line, column)


def _not_toml(file: Path, shown: str, error: TOMLDecodeError) -> KernelBuilderError:
    lines = error.doc.splitlines() or [""]
    line, column = error.lineno, error.colno
    if line > len(lines):
        # The end of the file, behind its last line feed.
        line, column = len(lines), len(lines[-1]) + 1
    # Long lines are shown around the place.
    start = max(0, column - 50)
    text = lines[line - 1][start : start + 80]
    found = f"{text}\n{' ' * (column - 1 - start)}^ {error.msg}"
    want = "TOML: text in quotes, one `key = value` on a line, every key and [table] once"
    fix = "correct the line; https://toml.io has the rules"
    problem = _at(file, line, column, found, want, fix)
    return KernelBuilderError(f"{shown} is not TOML: line {line}, column {column}", [problem])


def _unsupported(value: Any, key: str) -> Iterator[tuple[str, str, str]]:
    """Yield the key, the kind and a fix of each value that TOML has and Nix does not."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield from _unsupported(each, f"{key}.{name}" if key else name)
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from _unsupported(each, f"{key}[{number}]")
    elif isinstance(value, (datetime.date, datetime.time)):
        yield key, f"the date or time {value}", "put it in quotes"
    elif isinstance(value, str) and "\0" in value:
        yield key, "a string with a NUL", "delete the NUL"
