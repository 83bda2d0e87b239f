#!/usr/bin/env python3
"""Lists the targets whose code is in built extensions: `fatbin.py FILE.so…`, one line a file.

Reads the section `.nv_fatbin`: regions, each a header and entries with code (cubin) or PTX. The
layout is what `cuobjdump` shows of the same files.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

MAGIC = 0xBA55ED50
PTX, CUBIN = 1, 2
# Bits of an entry's flags: a target whose code runs on that GPU, or on its family, only.
SUFFIXES = {1 << 20: "a", 1 << 21: "f"}


@dataclass(frozen=True)
class Image:
    """One entry: what it is for, and its bytes as they are stored."""

    kind: int
    target: str
    payload: bytes


def section(data: bytes, wanted: str) -> bytes:
    """Return a section of a 64-bit ELF file; empty if there is none."""
    (start,) = struct.unpack_from("<Q", data, 0x28)
    size, count, names = struct.unpack_from("<HHH", data, 0x3A)
    headers = [struct.unpack_from("<IIQQQQ", data, start + i * size) for i in range(count)]
    table = headers[names][4]
    for name, _type, _flags, _address, offset, length in headers:
        text = data[table + name : data.index(b"\0", table + name)].decode()
        if text == wanted:
            return data[offset : offset + length]
    return b""


def images(data: bytes) -> Iterator[Image]:
    """Yield the entries of all regions of an object or extension."""
    binary = section(data, ".nv_fatbin")
    at = 0
    while at + 16 <= len(binary):
        magic, _version, header, size = struct.unpack_from("<IHHQ", binary, at)
        if magic != MAGIC:
            # Regions start at multiples of eight.
            at += 8
            continue
        entry, at = at + header, at + header + size
        while entry < at:
            kind, _, header, length = struct.unpack_from("<HHIQ", binary, entry)
            (number,) = struct.unpack_from("<I", binary, entry + 28)
            (flags,) = struct.unpack_from("<Q", binary, entry + 40)
            suffix = "".join(suffix for bit, suffix in SUFFIXES.items() if flags & bit)
            start = entry + header
            yield Image(kind, f"{number}{suffix}", binary[start : start + length])
            entry = start + length


def describe(data: bytes) -> list[str]:
    """Return the targets in a file: `sm_90a` for code, `compute_80` for PTX."""
    prefix = {PTX: "compute_", CUBIN: "sm_"}
    return sorted({prefix.get(image.kind, "unknown_") + image.target for image in images(data)})


def main() -> None:
    """Print the targets of the files that were named."""
    for name in sys.argv[1:]:
        print(f"{name}: {' '.join(describe(Path(name).read_bytes())) or 'no device code'}")


if __name__ == "__main__":
    main()
