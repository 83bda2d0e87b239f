"""Is build.toml TOML: answered before Nix is asked, which knows neither the line nor a way out.

What its keys mean, and whether they are right, is for `lib/` to say.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from kernel_builder.kernel.places import find_places, locate
from kernel_builder.machine.files import read_file
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.names import show

BOM: Final = b"\xef\xbb\xbf"

# Where the parser says that a mistake is; at the end of the file it names no line.
_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


def read_build_toml(folder: Path) -> tuple[str, dict[str, Any]]:
    """Return the text of a folder's build.toml, and what it says.

    Raises KernelBuilderError if it is no TOML that Nix can evaluate.
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
        raise _not_toml(file, shown, text, str(error)) from None
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


def _not_toml(file: Path, shown: str, text: str, message: str) -> KernelBuilderError:
    place = _PLACE.search(message)
    cause = _PLACE.sub("", message)
    lines = text.splitlines() or [""]
    if place and place[1]:
        line, column = int(place[1]), int(place[2])
        content = lines[line - 1] if line <= len(lines) else ""
        # Long lines are shown around the place.
        start = max(0, column - 50)
        found = f"{content[start : start + 80]}\n{' ' * (column - 1 - start)}^ {cause}"
    else:
        line, column = len(lines), len(lines[-1]) + 1
        found = f"the end of the file: {cause}"
    want = "TOML: text in quotes, one `key = value` on a line, every key and [table] once"
    problem = _at(
        file, line, column, found, want, "correct the line; https://toml.io has the rules"
    )
    return KernelBuilderError(f"{shown} is not TOML: line {line}, column {column}", [problem])


def _unsupported(value: Any, key: str) -> Iterator[tuple[str, str, str]]:
    """Yield the keys whose values TOML knows and Nix does not, with what they are and a fix."""
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
