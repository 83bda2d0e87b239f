"""Says in what two folders or files differ, in as few lines as a person wants to read.

For ELF files: which sections and symbols; for text: a diff; else where the first other byte is.
"""

from __future__ import annotations

import difflib
import re
import stat
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

# What a store puts before a name.
HASH = re.compile(r"^[0-9a-z]{32}-")
# Of one file, and of all files together.
LINES_OF_A_FILE = 12
LINES = 60


def describe(one: Path, two: Path) -> str:
    """Return how `two` differs from `one`; empty if it does not."""
    return "\n".join(_shorten(_compare(one, two, HASH.sub("", one.name)), LINES))


def _shorten(lines: Iterable[str], most: int) -> Iterator[str]:
    found = list(lines)
    yield from found[:most]
    if len(found) > most:
        yield f"  … {len(found) - most} more lines"


def _compare(one: Path, two: Path, name: str) -> Iterator[str]:
    kinds = [_kind(path) for path in (one, two)]
    if kinds[0] != kinds[1]:
        yield f"{name}: {kinds[0]}, then {kinds[1]}"
    elif kinds[0] == "a folder":
        yield from _compare_folders(one, two, name)
    elif kinds[0].startswith("a file"):
        contents = one.read_bytes(), two.read_bytes()
        if contents[0] != contents[1]:
            yield f"{name}: {len(contents[0])} bytes, then {len(contents[1])}"
            found = (f"  {line}" for line in _compare_contents(*contents))
            yield from _shorten(found, LINES_OF_A_FILE)


def _compare_folders(one: Path, two: Path, name: str) -> Iterator[str]:
    names = [{path.name for path in folder.iterdir()} for folder in (one, two)]
    yield from (f"{name}/{entry}: only the first time" for entry in sorted(names[0] - names[1]))
    yield from (f"{name}/{entry}: only the second time" for entry in sorted(names[1] - names[0]))
    for entry in sorted(names[0] & names[1]):
        yield from _compare(one / entry, two / entry, f"{name}/{entry}")


def _kind(path: Path) -> str:
    """Return what of a path counts in the store, besides its content."""
    if path.is_symlink():
        return f"a link to {path.readlink()}"
    if path.is_dir():
        return "a folder"
    return "a file to run" if path.stat().st_mode & stat.S_IXUSR else "a file"


def _compare_contents(one: bytes, two: bytes) -> Iterator[str]:
    if one[:4] == two[:4] == b"\x7fELF":
        yield from _compare_elf(one, two)
        return
    try:
        before, after = one.decode().splitlines(), two.decode().splitlines()
    except UnicodeDecodeError:
        yield _first_difference(one, two)
        return
    # Without the two lines that name the files.
    yield from list(difflib.unified_diff(before, after, lineterm="", n=0))[2:]


def _compare_elf(one: bytes, two: bytes) -> Iterator[str]:
    files = [ELFFile(BytesIO(content)) for content in (one, two)]
    sections = [
        {section.name: section for section in file.iter_sections() if section.name}
        for file in files
    ]
    same = True
    for name in dict.fromkeys((*sections[0], *sections[1])):
        pair = [found.get(name) for found in sections]
        if pair[0] is None or pair[1] is None:
            yield f"{name}: only the {'second' if pair[0] is None else 'first'} time"
            same = False
            continue
        data = pair[0].data(), pair[1].data()
        if data[0] != data[1]:
            yield f"{name}: {_first_difference(*data)}"
            same = False
    symbols = [_symbols(file) for file in files]
    for sign, found in (("-", symbols[0] - symbols[1]), ("+", symbols[1] - symbols[0])):
        for symbol in sorted(found):
            yield f"{sign} symbol {symbol}"
            same = False
    if same:
        yield f"headers: {_first_difference(one, two)}"


def _symbols(file: ELFFile) -> set[str]:
    return {
        f"{symbol.name} ({symbol['st_size']} bytes)"
        for section in file.iter_sections()
        if isinstance(section, SymbolTableSection)
        for symbol in section.iter_symbols()
        if symbol.name
    }


def _first_difference(one: bytes, two: bytes) -> str:
    at = next((n for n, (a, b) in enumerate(zip(one, two)) if a != b), min(len(one), len(two)))
    # What stands a little before it often says what it is.
    start = max(at - 8, 0)
    return f"from byte {at} on, {one[start : at + 24]!r}, then {two[start : at + 24]!r}"
