"""Sizes: of what was built, and as people write them."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

from kernel_builder.machine.tree import list_files

UNITS: Final = {"B": 1, "kB": 10**3, "MB": 10**6, "GB": 10**9}
BINARY_UNITS: Final = {"KiB": 2**10, "MiB": 2**20, "GiB": 2**30}

_SIZE: Final = re.compile(r"(\d+(?:\.\d+)?) ?([A-Za-z]*)")


def measure(path: Path) -> int:
    """Return the bytes of a file, or of all files below a folder; 0 if there is nothing.

    A store that is named with `root=` has its files in another folder than their paths say.
    """
    if not os.path.lexists(path):
        return 0
    files = list_files(path).values() if path.is_dir() else [path]
    return sum(file.lstat().st_size for file in files)


def format_size(size: int) -> str:
    """Return a number of bytes for people, in units of a thousand."""
    # 999_950 bytes would be written as 1000.0 kB.
    name = next((name for name in reversed(UNITS) if size >= UNITS[name] * 0.99995), "B")
    return f"{size} B" if name == "B" else f"{size / UNITS[name]:.1f} {name}"


def parse_size(text: str) -> int:
    """Return the bytes that a text says: `2000`, `100MB`, `1.5 GiB`.

    Raises ValueError for any other text.
    """
    known = {name.lower(): size for name, size in {"": 1, **UNITS, **BINARY_UNITS}.items()}
    found = _SIZE.fullmatch(text.strip())
    if not found or found[2].lower() not in known:
        raise ValueError(text)
    return int(float(found[1]) * known[found[2].lower()])
