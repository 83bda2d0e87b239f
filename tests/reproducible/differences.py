"""Describes the differences of two folders or files in a few lines."""

from __future__ import annotations

import re
import stat
from collections.abc import Iterator
from pathlib import Path

from kernel_builder.messages.errors import shorten

# The prefix of a name in the store.
HASH = re.compile(r"^[0-9a-z]{32}-")
# The most lines of a report.
LINES = 60


def describe(one: Path, two: Path) -> str:
    """Return how `two` differs from `one`; empty if it does not."""
    return "\n".join(shorten([*_compare(one, two, HASH.sub("", one.name))], LINES))


def _compare(one: Path, two: Path, name: str) -> Iterator[str]:
    kinds = [_kind(path) for path in (one, two)]
    if kinds[0] != kinds[1]:
        yield f"{name}: {kinds[0]}, then {kinds[1]}"
    elif kinds[0] == "a folder":
        yield from _compare_folders(one, two, name)
    elif kinds[0].startswith("a file"):
        contents = one.read_bytes(), two.read_bytes()
        if contents[0] != contents[1]:
            pair = zip(*contents)
            at = next((at for at, (old, new) in enumerate(pair) if old != new), "the end")
            sizes = " and ".join(str(len(content)) for content in contents)
            yield f"{name}: {sizes} bytes differ from {at} on; diffoscope says in what"


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
