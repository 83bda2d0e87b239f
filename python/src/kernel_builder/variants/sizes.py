"""Sizes of what was built."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from kernel_builder.machine.files import list_files

UNITS: Final = {"B": 1, "kB": 10**3, "MB": 10**6, "GB": 10**9}


def measure_size(path: Path) -> int:
    """Return the bytes of a file, or of all files below a folder; 0 if `path` does not exist."""
    if not os.path.lexists(path):
        return 0
    files = list_files(path).values() if path.is_dir() else [path]
    return sum(file.lstat().st_size for file in files)


def format_size(size: int) -> str:
    """Return a number of bytes as people write it, in units of a thousand: `12.3 MB`."""
    # 999_950 bytes would be written as 1000.0 kB.
    name = next((name for name in reversed(UNITS) if size >= UNITS[name] * 0.99995), "B")
    return f"{size} B" if name == "B" else f"{size / UNITS[name]:.1f} {name}"
