"""Reads fat binaries."""

import io
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from elftools.elf.elffile import ELFFile

SECTION: Final = ".nv_fatbin"

_FATBIN: Final = 0xBA55ED50
_KINDS: Final = {1: "compute_", 2: "sm_"}
# Bits of an entry's flags: the code runs on that GPU alone, or on its family alone.
_SUFFIXES: Final = {1 << 20: "a", 1 << 21: "f"}


@dataclass(frozen=True)
class Image:
    """One entry of a fat binary: its target, and its bytes as they are stored.

    `target` is as compilers have it: `sm_90a` for code, `compute_80` for PTX. `whole` is the number
    of bytes that it unpacks to, and 0 if it is not packed.
    """

    target: str
    payload: bytes
    whole: int


def read_section(data: bytes) -> bytes:
    """Return the fat binaries of an ELF file."""
    # An object has one section for each function, all with the same name.
    sections = ELFFile(io.BytesIO(data)).iter_sections()
    return b"".join(each.data() for each in sections if each.name == SECTION)


def read_images(data: bytes) -> Iterator[Image]:
    """Yield the entries of all fat binaries of an object or extension.

    They are regions of a section, each a header and entries. The layout is what `cuobjdump` shows
    of the same files.
    """
    binary = read_section(data)
    at = 0
    while at + 16 <= len(binary):
        magic, _version, header, size = struct.unpack_from("<IHHQ", binary, at)
        if magic != _FATBIN:
            # Regions start at multiples of eight.
            at += 8
            continue
        entry, at = at + header, at + header + size
        while entry < at:
            kind, _, header, length, packed = struct.unpack_from("<HHIQI", binary, entry)
            (number,) = struct.unpack_from("<I", binary, entry + 28)
            flags, _, whole = struct.unpack_from("<QQQ", binary, entry + 40)
            suffix = "".join(suffix for bit, suffix in _SUFFIXES.items() if flags & bit)
            start = entry + header
            payload = binary[start : start + (packed or length)]
            target = f"{_KINDS.get(kind, 'unknown_')}{number}{suffix}"
            yield Image(target, payload, whole if packed else 0)
            entry = start + length


def unpack(image: Image) -> bytes:
    if not image.whole:
        return image.payload
    import zstandard

    code = zstandard.ZstdDecompressor().decompress(image.payload, max_output_size=image.whole)
    assert len(code) == image.whole
    return code


def unpacked(data: bytes) -> list[tuple[str, bytes]]:
    """Return the code of each target of an object or extension, and PTX."""
    return sorted((image.target, unpack(image)) for image in read_images(data))


def describe(data: bytes) -> list[str]:
    """Return the targets in a file: `sm_90a` for code, `compute_80` for PTX."""
    return sorted({image.target for image in read_images(data)})
