"""Read build.toml, and find the lines of syntax errors and of keys, which Nix does not know.

The keys and their values are checked in `lib/`.
"""

import re
from pathlib import Path
from typing import Any, Final

from kernel_builder.machine.files import read_file
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.names import show

_WANT: Final = "TOML in UTF-8: text in quotes, one `key = value` on a line, every key once"
_TABLE: Final = re.compile(r"\s*\[\[?\s*([\w.\"' -]+?)\s*\]\]?\s*(?:#.*)?")
# A comment, or a text of any kind. The file is TOML, so each of them ends.
_TEXT: Final = re.compile(
    r'''#[^\n]*|"""(?:\\.|[^\\])*?"{3,5}|\'{3}.*?\'{3,5}|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'''',
    re.DOTALL,
)
_KEY: Final = re.compile(r"\s*([\w.\"'-]+)\s*=")


def read_build_toml(folder: Path) -> tuple[str, dict[str, Any]]:
    """Return the text and the data of a folder's build.toml.

    Raises KernelBuilderError if it is not TOML.
    """
    import tomli

    file = folder / "build.toml"
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
    except RecursionError:
        found = "values that are nested too deeply"
    fix = "correct the line; https://toml.io has the rules"
    problem = Problem(f"{file}:{line}:{column}", found, _WANT, fix, str(file), line, column)
    raise KernelBuilderError(f"{show(folder.name)}/build.toml is not TOML", [problem])


def _blank(text: str) -> str:
    return '""' + "\n" * text.count("\n")


def find_line(text: str, key: str) -> int:
    """Return the line (from 1) of a key, else of the table around it; 0 if there is none."""
    lines: dict[str, int] = {}
    table = ""
    # Lines within a text have no keys.
    shown = _TEXT.sub(lambda found: _blank(found[0]) if "\n" in found[0] else found[0], text)
    for number, line in enumerate(shown.split("\n"), 1):
        if head := _TABLE.fullmatch(line):
            table = f"{head[1]}."
            lines.setdefault(head[1], number)
        elif found := _KEY.match(line):
            lines.setdefault(f"{table}{found[1]}", number)
    while key and key not in lines:
        key = key.rpartition("[" if key.endswith("]") else ".")[0]
    return lines.get(key, 0)
