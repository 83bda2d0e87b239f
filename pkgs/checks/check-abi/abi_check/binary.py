"""The parts of a binary that the dynamic linker reads, and the traces of the build machine in it."""

import re
import shutil
import subprocess
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

# Linkers add these symbols to each file.
LINKER_MADE = {"_init", "_fini", "_edata", "_end", "__bss_start", "__bss_start__", "__end__"}

# Paths of the store, and of build folders with and without the sandbox.
TRACES = re.compile(rb"(?:(?<![\w.-])/(?:nix/store|nix/var/nix|build)/|/nix-build-)")
# The text before and after such a path. The length is limited, since some compilers store strings without separators.
BEFORE = re.compile(rb"[\x20-\x7e]{,200}\Z")
AFTER = re.compile(rb"[\x20-\x7e]{,1000}")


@dataclass(frozen=True)
class Symbol:
    """A symbol that the binary needs or defines, with version and library if the file names them."""

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
        """Whether the binary loads without the symbol."""
        return self.binding == "STB_WEAK"


@dataclass(frozen=True)
class Trace:
    """A path of the build machine; `is_debug` if it is in debug information."""

    text: str
    is_debug: bool


class Binary:
    """One file. Attributes that its format does not have are empty."""

    # The name of the processor in this format.
    machine: str
    needed: "list[str]"
    run_paths: "list[str]"
    wanted: "list[Symbol]"
    defined: "list[Symbol]"
    debug_information: "list[range]"
    # Whether each symbol names its library. Then one without is looked for in all that are loaded.
    names_libraries = False

    def __init__(self, path: Path) -> None:
        self.path = path

    @cached_property
    def traces(self) -> "list[Trace]":
        """Strings with a path of the store or of a build folder."""
        content = self.path.read_bytes()
        found = set()
        for match in TRACES.finditer(content):
            start = match.start()
            before = BEFORE.search(content, max(start - 200, 0), start)
            after = AFTER.match(content, start)
            text = b"".join(part[0] for part in (before, after) if part).decode("ascii").strip()
            found.add(Trace(text, any(start in span for span in self.debug_information)))
        return sorted(found, key=lambda trace: trace.text)

    @property
    def exported(self) -> "list[Symbol]":
        """The symbols that other binaries of the process see, without those of the linker."""
        return [symbol for symbol in self.defined if symbol.name not in LINKER_MADE]

    @property
    def unique(self) -> "list[Symbol]":
        """Symbols that exist once in a process, however many binaries define them."""
        # pyelftools calls STB_GNU_UNIQUE so on some systems, because each system may define this number.
        return [symbol for symbol in self.defined if symbol.binding in ("STB_LOOS", "STB_GNU_UNIQUE")]


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
