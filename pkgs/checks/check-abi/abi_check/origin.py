"""Finds the units that refer to a symbol."""

import shutil
import subprocess
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection


def demangle(name: str) -> str:
    """Return a C++ name in readable form if `c++filt` is on PATH."""
    program = shutil.which("c++filt")
    if program is None or not name.startswith("_Z"):
        return name
    return subprocess.run([program, name], check=True, capture_output=True, text=True).stdout.strip()


def find_units(name: str, objects: "dict[str, Path]") -> "list[str]":
    """Return the sources of the objects that refer to a symbol and do not define it."""
    found = []
    for source, path in objects.items():
        with path.open("rb") as stream:
            table = ELFFile(stream).get_section_by_name(".symtab")
            symbols = table.iter_symbols() if isinstance(table, SymbolTableSection) else ()
            # Assemblers append a version to the name.
            if any(each["st_shndx"] == "SHN_UNDEF" and each.name.partition("@")[0] == name for each in symbols):
                found.append(source)
    return found
