"""Reads the section `.hip_fatbin`: bundles as `clang-offload-bundler` writes them."""

import io
import struct
from collections.abc import Iterator
from dataclasses import dataclass

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

MAGIC = b"__CLANG_OFFLOAD_BUNDLE__"
TRIPLE = "hipv4-amdgcn-amd-amdhsa--"
PAGE = 4096
# The processor by the low byte of the flags in an ELF header (AMDGPU's ABI).
MACHINES = {0x3F: "gfx90a", 0x41: "gfx1100", 0x4C: "gfx942"}


@dataclass(frozen=True)
class CodeObject:
    """One entry: its target and its bytes."""

    target: str
    payload: bytes

    @property
    def machine(self) -> str:
        """The processor that the code is compiled for, as the code states it."""
        elf = ELFFile(io.BytesIO(self.payload))
        assert elf["e_machine"] == "EM_AMDGPU"
        return MACHINES[elf["e_flags"] & 0xFF]

    @property
    def kernels(self) -> set[str]:
        """The kernels in the code: each has a descriptor."""
        table = ELFFile(io.BytesIO(self.payload)).get_section_by_name(".symtab")
        assert isinstance(table, SymbolTableSection)
        return {s.name[: -len(".kd")] for s in table.iter_symbols() if s.name.endswith(".kd")}


def bundles(data: bytes) -> Iterator[list[CodeObject]]:
    """Yield the entries of each bundle of an object or extension."""
    section = ELFFile(io.BytesIO(data)).get_section_by_name(".hip_fatbin")
    binary = section.data() if section else b""
    for at in range(0, len(binary), PAGE):
        if binary.startswith(MAGIC, at):
            yield list(_entries(binary, at))


def _entries(binary: bytes, start: int) -> Iterator[CodeObject]:
    (count,) = struct.unpack_from("<Q", binary, start + len(MAGIC))
    at = start + len(MAGIC) + 8
    for _ in range(count):
        offset, size, length = struct.unpack_from("<QQQ", binary, at)
        name = binary[at + 24 : at + 24 + length].decode()
        at += 24 + length
        if name.startswith(TRIPLE):
            payload = binary[start + offset : start + offset + size]
            yield CodeObject(name.removeprefix(TRIPLE), payload)
        else:
            # The name of an entry has an empty field for an environment.
            assert (name.rstrip("-"), size) == ("host-x86_64-unknown-linux-gnu", 0), name
