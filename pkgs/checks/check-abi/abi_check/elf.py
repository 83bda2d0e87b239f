"""Reads the parts of an ELF file that the dynamic linker of Linux reads."""

from pathlib import Path

from elftools.elf.dynamic import DynamicSection, DynamicTag
from elftools.elf.elffile import ELFFile
from elftools.elf.gnuversions import GNUVerNeedSection, GNUVerSymSection
from elftools.elf.sections import SymbolTableSection

from abi_check.binary import Binary, Symbol

RUN_PATHS = {"DT_RPATH", "DT_RUNPATH"}


class Elf(Binary):
    """One ELF file."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        with path.open("rb") as stream:
            elf = ELFFile(stream)
            self.machine = elf["e_machine"]
            self.needed, self.run_paths = _read_dynamic(elf)
            versions = _read_versions(elf)
            self.versions = sorted(set(versions.values()))
            self.wanted, self.defined = _read_symbols(elf, versions)
            self.debug_information = [
                range(section["sh_offset"], section["sh_offset"] + section["sh_size"])
                for section in elf.iter_sections()
                if section.name.startswith(".debug")
            ]


def _read_dynamic(elf: ELFFile) -> "tuple[list[str], list[str]]":
    section = elf.get_section_by_name(".dynamic")
    tags = list(section.iter_tags()) if isinstance(section, DynamicSection) else []
    needed = [_text_of(tag) for tag in tags if tag.entry.d_tag == "DT_NEEDED"]
    paths = [_text_of(tag) for tag in tags if tag.entry.d_tag in RUN_PATHS]
    return needed, paths


def _text_of(tag: DynamicTag) -> str:
    """Return the text of a tag, which pyelftools stores under the tag's name."""
    return str(getattr(tag, tag.entry.d_tag.partition("_")[2].lower()))


def _read_versions(elf: ELFFile) -> "dict[int, tuple[str, str]]":
    """Return library and version by the number that symbols refer to."""
    section = elf.get_section_by_name(".gnu.version_r")
    if not isinstance(section, GNUVerNeedSection):
        return {}
    return {
        version["vna_other"]: (library.name or "", version.name)
        for library, versions in section.iter_versions()
        for version in versions
    }


def _read_symbols(elf: ELFFile, versions: "dict[int, tuple[str, str]]") -> "tuple[list[Symbol], list[Symbol]]":
    table = elf.get_section_by_name(".dynsym")
    numbers = elf.get_section_by_name(".gnu.version")
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
