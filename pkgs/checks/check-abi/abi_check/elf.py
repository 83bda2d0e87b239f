"""Reads the parts of an ELF file that the dynamic linker of Linux reads."""

from pathlib import Path

from elftools.elf.dynamic import DynamicSection
from elftools.elf.elffile import ELFFile
from elftools.elf.gnuversions import GNUVerNeedSection, GNUVerSymSection
from elftools.elf.sections import SymbolTableSection

from abi_check.binary import Binary, Symbol


class Elf(Binary):
    """One ELF file."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        with path.open("rb") as stream:
            elf = ELFFile(stream)
            self.machine = elf["e_machine"]
            section = elf.get_section_by_name(".dynamic")
            tags = list(section.iter_tags()) if isinstance(section, DynamicSection) else []
            # pyelftools stores the text of a tag under the tag's name.
            self.needed = [tag.needed for tag in tags if hasattr(tag, "needed")]
            self.run_paths = [getattr(tag, name) for tag in tags for name in ("rpath", "runpath") if hasattr(tag, name)]
            self.wanted, self.defined = _read_symbols(elf)
            self.debug_information = [
                range(section["sh_offset"], section["sh_offset"] + section["sh_size"])
                for section in elf.iter_sections()
                if section.name.startswith(".debug")
            ]


def _read_symbols(elf: ELFFile) -> "tuple[list[Symbol], list[Symbol]]":
    """Return the symbols that the file needs, and those that it defines."""
    table = elf.get_section_by_name(".dynsym")
    numbers = elf.get_section_by_name(".gnu.version")
    needs = elf.get_section_by_name(".gnu.version_r")
    # Library and version, by the number that symbols refer to.
    versions = {
        version["vna_other"]: (library.name or "", version.name)
        for library, found in (needs.iter_versions() if isinstance(needs, GNUVerNeedSection) else ())
        for version in found
    }
    wanted: list[Symbol] = []
    defined: list[Symbol] = []
    for place, entry in enumerate(table.iter_symbols() if isinstance(table, SymbolTableSection) else ()):
        binding = entry["st_info"]["bind"]
        if not entry.name or binding == "STB_LOCAL":
            continue
        number = numbers.get_symbol(place).entry["ndx"] if isinstance(numbers, GNUVerSymSection) else "VER_NDX_GLOBAL"
        library, version = versions.get(number & 0x7FFF, ("", "")) if isinstance(number, int) else ("", "")
        symbol = Symbol(entry.name, version, library, binding)
        (wanted if entry["st_shndx"] == "SHN_UNDEF" else defined).append(symbol)
    return wanted, defined
