"""What the dynamic linker reads of a binary, and the traces of the machine that made it."""

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from elftools.elf.dynamic import DynamicSection, DynamicTag
from elftools.elf.elffile import ELFFile
from elftools.elf.gnuversions import GNUVerNeedSection, GNUVerSymSection
from elftools.elf.sections import SymbolTableSection

# The builder of the linker puts these into what it links.
LINKER_MADE = {"_init", "_fini", "_edata", "_end", "__bss_start", "__bss_start__", "__end__"}
RUN_PATHS = {"DT_RPATH", "DT_RUNPATH"}

# Where Nix keeps what it builds, and where it builds: in the sandbox, and without one.
TRACES = re.compile(rb"[\x20-\x7e]*(?:(?<![\w.-])/(?:nix/store|nix/var/nix|build)/|/nix-build-)[\x20-\x7e]*")


@dataclass(frozen=True)
class Symbol:
    """A symbol that the binary wants or defines; version and library as far as it names them."""

    name: str
    version: str = ""
    library: str = ""
    binding: str = "STB_GLOBAL"

    @property
    def versioned(self) -> str:
        """The name with its version, as `nm` writes it."""
        return f"{self.name}@{self.version}" if self.version else self.name

    @property
    def is_weak(self) -> bool:
        """Whether the binary loads without it."""
        return self.binding == "STB_WEAK"


@dataclass(frozen=True)
class Trace:
    """A path of the machine that made the binary; `is_debug` if only a debugger reads it."""

    text: str
    is_debug: bool


class Binary:
    """One ELF file, read when it is made."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with path.open("rb") as stream:
            elf = ELFFile(stream)
            self.machine: str = elf["e_machine"]
            self.needed, self.run_paths = _read_dynamic(elf)
            versions = _read_versions(elf)
            self.versions = sorted(set(versions.values()))
            self.wanted, self.defined = _read_symbols(elf, versions)
            self.debug_information = [
                range(section["sh_offset"], section["sh_offset"] + section["sh_size"])
                for section in elf.iter_sections()
                if section.name.startswith(".debug")
            ]

    @cached_property
    def traces(self) -> "list[Trace]":
        """Strings that hold a path of the store or of a build folder."""
        found = (
            Trace(match[0].decode("ascii").strip(), any(match.start() in span for span in self.debug_information))
            for match in TRACES.finditer(self.path.read_bytes())
        )
        return sorted(set(found), key=lambda trace: trace.text)

    @property
    def exported(self) -> "list[Symbol]":
        """What other binaries of the process can see, but for what every linker makes."""
        return [symbol for symbol in self.defined if symbol.name not in LINKER_MADE]

    @property
    def unique(self) -> "list[Symbol]":
        """Symbols of which the process has one only, however often they are loaded."""
        # The number of STB_GNU_UNIQUE is one that each system may use as it likes.
        return [symbol for symbol in self.defined if symbol.binding in ("STB_LOOS", "STB_GNU_UNIQUE")]


def _read_dynamic(elf: ELFFile) -> "tuple[list[str], list[str]]":
    section = elf.get_section_by_name(".dynamic")
    tags = list(section.iter_tags()) if isinstance(section, DynamicSection) else []
    needed = [_text_of(tag) for tag in tags if tag.entry.d_tag == "DT_NEEDED"]
    paths = [_text_of(tag) for tag in tags if tag.entry.d_tag in RUN_PATHS]
    return needed, paths


def _text_of(tag: DynamicTag) -> str:
    """Return what a tag says; the library keeps it under the tag's own name."""
    return str(getattr(tag, tag.entry.d_tag.partition("_")[2].lower()))


def _read_versions(elf: ELFFile) -> "dict[int, tuple[str, str]]":
    """Return library and version by the number that symbols name them by."""
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
