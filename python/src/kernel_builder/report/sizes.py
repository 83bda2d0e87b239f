"""How large binary code is: what a loader maps of it."""

from __future__ import annotations

import struct
from contextlib import suppress
from pathlib import Path
from typing import Final

# Of an ELF file: a section that is mapped, and one that has no bytes in the file.
ALLOCATED: Final = 2
NO_BITS: Final = 8


def measure(output: Path) -> int | None:
    """Return the bytes of a step's code: of an object what is mapped, of a target its files."""
    with suppress(OSError):
        if output.is_dir():
            parts = [output / name for name in ("cubin", "ptx")]
            return sum(each.stat().st_size for each in parts if each.exists())
        return _mapped(output.read_bytes())
    return None


def measure_library(variant: str | None) -> int | None:
    """Return the bytes of the extension in a variant's folder, if it has one."""
    files = Path(variant).glob("*.so") if variant else ()
    return sum(file.stat().st_size for file in files) or None


def _mapped(data: bytes) -> int:
    """Return the sizes of an ELF file's mapped sections, or of all of another file."""
    if data[:5] != b"\x7fELF\x02":
        return len(data)
    (table,) = struct.unpack_from("<Q", data, 40)
    size, count = struct.unpack_from("<HH", data, 58)
    sections = (
        struct.unpack_from("<IIQQQQ", data, table + size * number) for number in range(count)
    )
    return sum(each[5] for each in sections if each[2] & ALLOCATED and each[1] != NO_BITS)
