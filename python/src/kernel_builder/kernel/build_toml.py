"""Read build.toml, and find the lines of syntax errors and of keys, which Nix does not know.

The keys and their values are checked in `lib/`.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from kernel_builder.machine.files import read_file
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.names import show

_WANT: Final = "TOML in UTF-8: text in quotes, one `key = value` on a line, every key once"
# A table or a key in front of a line, else a comment or a text of any kind, in which lines have no
# keys. The file is TOML, so each text ends.
_TOKEN: Final = re.compile(
    r"""(?sm)^[ \t]*\[\[?(?P<table>[\w."' \t-]+)\]\]?[ \t\r]*(?:#|$)"""
    r"""|^[ \t]*(?P<key>[\w."'-]+)[ \t]*="""
    r"""|#[^\n]*|"{3}(?:\\.|[^\\])*?(?:"{3,5}|\\?\Z)|\'{3}.*?(?:\'{3,5}|\Z)"""
    r"""|"(?:\\.|[^"\\\n])*"?|'[^'\n]*\'?"""
)


def read_build_toml(folder: Path) -> tuple[str, dict[str, Any]]:
    """Return the text and the data of a folder's build.toml.

    Raises KernelBuilderError if it is not TOML.
    """
    import tomli

    file = folder.resolve() / "build.toml"
    line, column = 1, 1
    try:
        text = read_file(file).decode()
        return text, tomli.loads(text)
    except tomli.TOMLDecodeError as error:
        line, column, found = error.lineno, error.colno, error.msg
        shown = [*error.doc.splitlines(), ""][line - 1].strip()[:80]
        found = f"{shown}\n{found}" if shown else found
        if error.doc.startswith("\ufeff"):
            found = "a byte order mark (BOM) in front; save the file as UTF-8 without it"
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        found = f"the byte 0x{error.object[error.start]:02x}"
    except (RecursionError, ValueError):
        found = "values that are nested too deeply, or numbers of too many digits"
    fix = "correct the line; https://toml.io has the rules"
    problem = Problem(f"{file}:{line}:{column}", found, _WANT, fix, str(file), line, column)
    raise KernelBuilderError(f"{show(file.parent.name)}/build.toml is not TOML", [problem])


def get_table(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """Return a table of the data; an empty one if it is missing, or a value of another type."""
    return data[name] if isinstance(data.get(name), dict) else {}


def find_line(text: str, key: str) -> int:
    """Return the line (from 1) of a key, else of the table around it; 0 if there is none."""
    lines = _list_lines(text)
    while key and key not in lines:
        key = key.rpartition("[" if key.endswith("]") else ".")[0]
    return lines.get(key, 0)


# A file may have as many problems as keys.
@lru_cache(4)
def _list_lines(text: str) -> Mapping[str, int]:
    """Return the line of each table and key."""
    lines: dict[str, int] = {}
    table, line, before = "", 1, 0
    for token in _TOKEN.finditer(text):
        section = (token["table"] or "").strip()
        table = f"{section}." if section else table
        line, before = line + text.count("\n", before, token.start()), token.start()
        if name := section or (token["key"] and f"{table}{token['key']}"):
            lines.setdefault(name, line)
    return lines


def find_flag(table: Mapping[str, Any], flag: str, above: str = "") -> Iterator[str]:
    """Yield the keys whose lists have a compiler's flag, alone or behind `-Xcompiler=`."""
    for name, value in table.items():
        if isinstance(value, dict):
            yield from find_flag(value, flag, f"{above}{name}.")
        elif name.endswith("-flags"):
            words = (word for each in value for word in (each, *re.split("[=,]", each)))
            yield from [f"{above}{name}"] if flag in words else []
