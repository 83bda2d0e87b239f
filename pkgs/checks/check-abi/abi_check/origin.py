"""Finds the units and functions that refer to a symbol."""

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import RelocationSection
from elftools.elf.sections import SymbolTableSection


@dataclass(frozen=True)
class Origin:
    """A reference: the source file of the unit, and the function's name if a function refers."""

    source: str
    function: str

    def __str__(self) -> str:
        return f"{demangle(self.function)} in {self.source}" if self.function else self.source


def demangle(name: str) -> str:
    """Return a C++ name in readable form if `c++filt` is on PATH."""
    program = shutil.which("c++filt")
    if program is None or not name.startswith("_Z"):
        return name
    return subprocess.run([program, name], check=True, capture_output=True, text=True).stdout.strip()


def find_origins(name: str, objects: "dict[str, Path]") -> "list[Origin]":
    """Return the places that refer to the symbol, each once."""
    found: dict[Origin, None] = {}
    for source, path in objects.items():
        with path.open("rb") as stream:
            for function in _find_functions(ELFFile(stream), name):
                found[Origin(source, function)] = None
    return list(found)


def _find_functions(elf: ELFFile, name: str) -> "list[str]":
    """Return the functions that refer to a symbol; an empty name stands for data."""
    table = elf.get_section_by_name(".symtab")
    if not isinstance(table, SymbolTableSection):
        return []
    symbols = list(table.iter_symbols())
    # Assemblers append a version to the name.
    wanted = {place for place, symbol in enumerate(symbols) if symbol.name.partition("@")[0] == name}
    functions = [symbol for symbol in symbols if symbol["st_info"]["type"] == "STT_FUNC"]
    found = []
    for section in elf.iter_sections():
        if not wanted or not isinstance(section, RelocationSection):
            continue
        for relocation in section.iter_relocations():
            if relocation["r_info_sym"] in wanted:
                inside = (
                    function.name
                    for function in functions
                    if function["st_shndx"] == section["sh_info"]
                    and 0 <= relocation["r_offset"] - function["st_value"] < function["st_size"]
                )
                found.append(next(inside, ""))
    return found
