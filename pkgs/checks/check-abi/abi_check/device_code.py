"""Reads the device code in a library, such as fat binaries of nvcc."""

import re
import struct
from collections.abc import Iterator
from pathlib import Path

from elftools.elf.elffile import ELFFile

FATBIN = 0xBA55ED50
# Kinds of entries of a fat binary, and bits of their flags: code for that GPU alone, or for its family alone.
KINDS = {1: "+PTX", 2: ""}
SUFFIXES = {1 << 20: "a", 1 << 21: "f"}


def read_fat_binaries(section: bytes) -> "Iterator[tuple[str, int]]":
    """Yield target and size of each entry. `cuobjdump` shows the same."""
    at = 0
    while at + 16 <= len(section):
        magic, _, header, size = struct.unpack_from("<IHHQ", section, at)
        if magic != FATBIN:
            # Fat binaries begin at multiples of eight.
            at += 8
            continue
        # Damaged sizes must not stop the progress, here and below.
        entry, at = at + header, at + max(header + size, 8)
        while entry < at:
            kind, _, header, length, packed, *_, number = struct.unpack_from("<HHIQIIHHI", section, entry)
            (flags,) = struct.unpack_from("<Q", section, entry + 40)
            suffix = "".join(suffix for bit, suffix in SUFFIXES.items() if flags & bit)
            if kind in KINDS:
                yield f"{number // 10}.{number % 10}{suffix}{KINDS[kind]}", packed or length
            entry += max(header + length, 64)


def read_bundles(section: bytes) -> "Iterator[tuple[str, int]]":
    """Yield target and size of each entry of clang's bundles. Compressed ones have another mark."""
    for match in re.finditer(b"__CLANG_OFFLOAD_BUNDLE__", section):
        at = match.end() + 8
        for _ in range(*struct.unpack_from("<Q", section, match.end())):
            _, size, length = struct.unpack_from("<QQQ", section, at)
            kind, _, target = section[at + 24 : at + 24 + length].decode().rpartition("--")
            at += 24 + length
            # The entry of the host has no target.
            if kind and target:
                yield target.partition(":")[0], size


# By the name of the section, which `backends/NAME/checks.json` has as `device-code`.
READERS = {".nv_fatbin": read_fat_binaries, ".hip_fatbin": read_bundles}


def read_device_code(library: Path, section: "str | None") -> "dict[str, int] | None":
    """Return the bytes of code for each target, as they are stored, or None if nothing here can read them.

    A target is spelt as in metadata.json, but with `+PTX` for PTX alone.
    """
    sizes: dict[str, int] = {}
    if section not in READERS:
        return None
    with library.open("rb") as stream:
        parts = [each.data() for each in ELFFile(stream).iter_sections() if each.name == section]
    try:
        for target, size in (image for part in parts for image in READERS[section](part)):
            sizes[target] = sizes.get(target, 0) + size
    except (UnicodeDecodeError, struct.error):
        return None
    return None if any(parts) and not sizes else sizes
