"""Says in what two files differ, in as few lines as a person wants to read.

For ELF files: which sections, and which symbols hold them; for JSON: which keys; for text: which
lines; else where the first other byte is.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from io import BytesIO
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from elftools.elf.elffile import ELFFile

# Of one file.
LINES: Final = 12
# Of one value, or of the names of symbols.
SHOWN: Final = 80


def explain(one: bytes, two: bytes) -> list[str]:
    """Return how a file that holds `two` differs from one that holds `one`."""
    try:
        if one[:4] == two[:4] == b"\x7fELF":
            return shorten(_compare_elf(one, two), LINES)
    except ModuleNotFoundError as error:
        return [f"{_first_difference(one, two)} ({error.name} would say in which section)"]
    # An ELF file that was tampered with may be anything, and so is what its reader raises.
    except Exception:
        return [f"no proper ELF file: {_first_difference(one, two)}"]
    try:
        texts = one.decode(), two.decode()
    except UnicodeDecodeError:
        return [_first_difference(one, two)]
    try:
        values = json.loads(texts[0]), json.loads(texts[1])
        keys = shorten(_compare_values(*values, ""), LINES)
    except (ValueError, RecursionError):
        keys = []
    return keys or shorten(_compare_lines(*texts), LINES)


def shorten(lines: Iterable[str], most: int) -> list[str]:
    """Return the first lines, and how many there are more."""
    found = list(lines)
    more = [f"… {len(found) - most} more lines"] if len(found) > most else []
    return found[:most] + more


def _compare_lines(one: str, two: str) -> Iterator[str]:
    for number, pair in enumerate(zip_longest(one.split("\n"), two.split("\n")), 1):
        if pair[0] != pair[1]:
            yield f"line {number}: {_pair(*pair)}"


def _compare_values(one: Any, two: Any, at: str) -> Iterator[str]:
    if isinstance(one, list) and isinstance(two, list):
        one, two = dict(enumerate(one)), dict(enumerate(two))
    if isinstance(one, dict) and isinstance(two, dict):
        for key in dict.fromkeys((*one, *two)):
            below = f"{at}.{key}" if at else str(key)
            yield from _compare_values(one.get(key), two.get(key), below)
    elif one != two:
        yield f"{at or 'the value'}: {_pair(one, two)}"


def _pair(one: Any, two: Any) -> str:
    shown = ("nothing" if each is None else repr(each) for each in (one, two))
    return ", then ".join(f"{each[:SHOWN]}…" if len(each) > SHOWN else each for each in shown)


def _compare_elf(one: bytes, two: bytes) -> Iterator[str]:
    from elftools.elf.elffile import ELFFile

    files = [ELFFile(BytesIO(content)) for content in (one, two)]
    sections = [
        {section.name: section for section in file.iter_sections() if section.name}
        for file in files
    ]
    same = True
    for name in dict.fromkeys((*sections[0], *sections[1])):
        pair = [found.get(name) for found in sections]
        if pair[0] is None or pair[1] is None:
            yield f"{'+' if pair[0] is None else '-'} section {name}"
            same = False
            continue
        data = pair[0].data(), pair[1].data()
        if data[0] != data[1]:
            held = [_contents(file, section) for file, section in zip(files, pair)]
            both = (symbol for symbol in held[0] if symbol in held[1])
            names = ", ".join(symbol for symbol in both if held[0][symbol] != held[1][symbol])
            names = f"{names[:SHOWN]}…" if len(names) > SHOWN else names
            yield f"{name}{f', in {names}' if names else ''}: {_first_difference(*data)}"
            same = False
    symbols = [_symbols(file) for file in files]
    for sign, found in (("-", symbols[0] - symbols[1]), ("+", symbols[1] - symbols[0])):
        for symbol in sorted(found):
            yield f"{sign} symbol {symbol}"
            same = False
    if same:
        yield f"headers: {_first_difference(one, two)}"


def _iterate_symbols(file: Any) -> Iterator[Any]:
    for section in file.iter_sections():
        if section["sh_type"] in ("SHT_SYMTAB", "SHT_DYNSYM"):
            yield from (symbol for symbol in section.iter_symbols() if symbol.name)


def _symbols(file: ELFFile) -> set[str]:
    return {f"{symbol.name} ({symbol['st_size']} bytes)" for symbol in _iterate_symbols(file)}


def _contents(file: ELFFile, section: Any) -> dict[str, list[bytes]]:
    """Return what a section holds of each symbol; several may have one name."""
    data, found = section.data(), dict[str, list[bytes]]()
    number = file.get_section_index(section.name)
    for symbol in _iterate_symbols(file):
        start = symbol["st_value"] - section["sh_addr"]
        if symbol["st_shndx"] == number and symbol["st_size"]:
            found.setdefault(symbol.name, []).append(data[start : start + symbol["st_size"]])
    return found


def _first_difference(one: bytes, two: bytes) -> str:
    at = next((n for n, (a, b) in enumerate(zip(one, two)) if a != b), min(len(one), len(two)))
    # What stands a little before it often says what it is.
    start = max(at - 8, 0)
    return f"from byte {at} on, {one[start : at + 24]!r}, then {two[start : at + 24]!r}"
