"""Is build.toml TOML: answered before Nix is asked, which knows neither the line nor a way out.

What its keys mean, and whether they are right, is for `lib/` to say.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from kernel_builder.messages.errors import KernelBuilderError, Problem

NO_VALUE: Final = (
    "a string in quotes, a number, true, false, a list or a table",
    "put text in quotes",
)
# What the parser complains of; then what it wanted, and what to do.
ANSWERS: Final = (
    ("Unfinished", "a value, and ] or } for every [ or { before it", "add what is missing"),
    ("Invalid value", *NO_VALUE),
    (r"Expected '='", "= after the name of a key", 'write key = "value", or [table] for a table'),
    ("Invalid statement", "a key, or a table such as [general]", "correct the line"),
    ("Invalid initial character for a key", "a key", "write key = value on one line"),
    (r"Expected '\]+' at the end", "] at the end of the table's name", "close the bracket"),
    ("Unclosed array", "a comma or ] after an element of a list", "add what is missing"),
    ("Unclosed inline table", "a comma or } after a value of a table", "add what is missing"),
    (
        "Unterminated string|Illegal character|Expected \"'",
        "a string in quotes on one line",
        "close the string, or use three quotes for several lines",
    ),
    (
        r"Unescaped '\\'|Invalid hex value|Escaped character",
        r"one of \\, \", \n, \t, \uXXXX",
        r"write \\ for a backslash, or use '…'",
    ),
    (
        "twice|overwrite|Duplicate|mutate|already",
        "every key and every table once",
        "delete one of the two, or merge them",
    ),
    ("Expected newline", "one value on a line", "put quotes around the whole, or start a new line"),
)
UNKNOWN: Final = ("a file in the form of TOML", "correct the line; https://toml.io has the rules")

_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


def check_text(folder: Path) -> None:
    """Raise if the build.toml in a folder is no TOML that can be evaluated."""
    import tomli

    file = folder / "build.toml"
    shown = f"{folder.name}/build.toml"
    content = file.read_bytes()
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        found = f"the byte 0x{content[error.start]:02x}"
        problem = Problem(f"{file}:{line}", found, "text in UTF-8", "save the file as UTF-8")
        raise KernelBuilderError(f"{shown} is not UTF-8", [problem]) from None
    try:
        data = tomli.loads(text)
    except tomli.TOMLDecodeError as error:
        raise _not_toml(file, shown, text, str(error)) from None
    problems = [
        Problem(f"{file}: {key}", found, NO_VALUE[0], "put it in quotes")
        for key, found in _unsupported(data, "")
    ]
    if problems:
        raise KernelBuilderError(f"{shown} holds values that no key takes", problems)


def _not_toml(file: Path, shown: str, text: str, said: str) -> KernelBuilderError:
    place = _PLACE.search(said)
    what = _PLACE.sub("", said)
    lines = text.splitlines() or [""]
    if place and place[1]:
        line, column = int(place[1]), int(place[2])
        content = lines[line - 1] if line <= len(lines) else ""
        # Long lines are shown around the place.
        start = max(0, column - 50)
        found = f"{content[start : start + 80]}\n{' ' * (column - 1 - start)}^ {what}"
    else:
        line, column = len(lines), len(lines[-1]) + 1
        # There, the parser only says that no value comes.
        what = "Unfinished" if what == "Invalid value" else what
        found = f"the end of the file: {what}"
    want, fix = next((rest for cause, *rest in ANSWERS if re.search(cause, what)), UNKNOWN)
    headline = f"{shown} is not TOML: line {line}, column {column}"
    return KernelBuilderError(headline, [Problem(f"{file}:{line}:{column}", found, want, fix)])


def _unsupported(value: Any, key: str) -> Iterator[tuple[str, str]]:
    """Yield the keys whose values TOML knows and Nix does not."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield from _unsupported(each, f"{key}.{name}" if key else name)
    elif isinstance(value, list):
        for each in value:
            yield from _unsupported(each, key)
    elif isinstance(value, (datetime.date, datetime.time)):
        yield key, f"the date or time {value}"
    elif isinstance(value, str) and "\0" in value:
        yield key, "a string with a NUL"
