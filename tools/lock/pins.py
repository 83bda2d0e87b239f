"""Pin files: JSON with sorted keys, so that a renewal is a small difference."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from kernel_builder.messages.errors import KernelBuilderError, Problem

Pins = dict[str, dict[str, dict[str, Any]]]

RECORD_DEPTH = 2
LONGEST_LINE = 320
FILLED_LINE = 120
_LISTS = {"deb": ("suite",), "wheel": ("python",)}


def read_pins(file: Path) -> dict[str, Any]:
    """Return the content of a pin file; raise KernelBuilderError if it is not one."""
    try:
        data = json.loads(file.read_text())
    except OSError as error:
        raise _unreadable(file, error.strerror or "it cannot be read") from None
    except ValueError as error:
        raise _unreadable(file, f"no JSON: {error}") from None
    kind = data.get("kind") if isinstance(data, dict) else None
    if kind not in _LISTS:
        raise _unreadable(file, f'kind {json.dumps(kind)}, not "deb" or "wheel"')
    lacking = [key for key in ("want", "pins", *_LISTS[kind]) if key not in data]
    if lacking:
        raise _unreadable(file, "no " + ", ".join(lacking))
    assert isinstance(data, dict), "internal error: checked above"
    return data


def find_files(*folders: Path) -> list[Path]:
    """Return the pin files below the folders that this program writes."""
    return [
        file
        for folder in folders
        for file in sorted(folder.rglob("pins.json"))
        if json.loads(file.read_text()).get("kind") in _LISTS
    ]


def write_pins(file: Path, data: Mapping[str, Any]) -> None:
    """Replace a pin file as a whole."""
    write_whole(file, dump(data))


def dump(data: object) -> str:
    """Return a table as JSON: sorted keys, and each record on a line of its own.

    A record contains numbers, texts, and lists or mappings of these. It is split, too, if its line
    would be longer than `LONGEST_LINE`; the lines of a list of texts are filled.
    """
    return _format(data, "") + "\n"


def _format(data: object, indent: str) -> str:
    line = json.dumps(data, sort_keys=True, ensure_ascii=False)
    if indent and _depth(data) <= RECORD_DEPTH and len(indent) + len(line) <= LONGEST_LINE:
        return line
    inner = indent + "  "
    if isinstance(data, dict) and data:
        begins = ((f"{json.dumps(key, ensure_ascii=False)}: ", data[key]) for key in sorted(data))
    elif isinstance(data, list) and data and _depth(data) == 1:
        words = (json.dumps(each, ensure_ascii=False) + "," for each in data)
        return "[\n" + _fill(words, inner)[:-1] + f"\n{indent}]"
    elif isinstance(data, list) and data:
        begins = (("", each) for each in data)
    else:
        return line
    parts = ",\n".join(f"{inner}{begin}{_format(value, inner)}" for begin, value in begins)
    first, last = line[0], line[-1]
    return f"{first}\n{parts}\n{indent}{last}"


def _fill(words: Iterable[str], indent: str) -> str:
    lines = [indent]
    for word in words:
        if len(lines[-1]) + len(word) > FILLED_LINE:
            lines.append(indent)
        lines[-1] += word if lines[-1] == indent else f" {word}"
    return "\n".join(lines)


def _depth(data: object) -> int:
    values = data.values() if isinstance(data, dict) else data if isinstance(data, list) else None
    return 0 if values is None else 1 + max(map(_depth, values), default=0)


def write_whole(file: Path, text: str) -> None:
    """Write a file as a whole: after a failure it has its old content."""
    mode = file.stat().st_mode & 0o777 if file.exists() else 0o644
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    try:
        with os.fdopen(handle, "w") as opened:
            opened.write(text)
        Path(name).chmod(mode)
        Path(name).replace(file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def list_changes(before: Pins, after: Pins) -> list[str]:
    """Return a line for every pin that was added, removed or changed."""
    lines = []
    for system in sorted({*before, *after}):
        old, new = before.get(system, {}), after.get(system, {})
        for name in sorted({*old, *new}):
            if old.get(name) == new.get(name):
                continue
            versions = [pins[name]["version"] if name in pins else "none" for pins in (old, new)]
            same = versions[0] == versions[1]
            change = f"{versions[0]}, another file" if same else f"{versions[0]} -> {versions[1]}"
            lines.append(f"{system} {name} {change}")
    return lines


def _unreadable(file: Path, found: str) -> KernelBuilderError:
    problem = Problem(
        at=str(file),
        found=found,
        want='a JSON object with "kind", "want", "pins" and what its kind needs besides',
        fix="give a file such as pkgs/sources/debs/pins.json",
    )
    return KernelBuilderError(f"{file} is no file of pins", [problem])
