"""Reads the parts of a Mach-O file that the dynamic linker of macOS reads."""

from pathlib import Path
from typing import Any

from macholib import mach_o
from macholib.MachO import MachO as File
from macholib.SymbolTable import SymbolTable

from abi_check.binary import Binary, Symbol

# The first bytes of files for one processor, and for several.
MAGICS = (b"\xcf\xfa\xed\xfe", b"\xce\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"\xca\xfe\xba\xbf")
NEEDED = (mach_o.LC_LOAD_DYLIB, mach_o.LC_LOAD_WEAK_DYLIB, mach_o.LC_REEXPORT_DYLIB, mach_o.LC_LOAD_UPWARD_DYLIB)


class MachO(Binary):
    """One Mach-O file: its content for the first processor, and the names of all processors."""

    names_libraries = True

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        # Load commands that macholib does not know do not concern these checks.
        file = File(str(path), allow_unknown_load_commands=True)
        self.machines = [mach_o.CPU_TYPE_NAMES.get(each.header.cputype, "?") for each in file.headers]
        self.machine = ", ".join(self.machines)
        commands = file.headers[0].commands
        self.needed = _read_texts(commands, *NEEDED)
        self.run_paths = _read_texts(commands, mach_o.LC_RPATH)
        self.least_macos = max(filter(None, map(_read_least, commands)), default=None)
        self.debug_information = []
        table = SymbolTable(file, file.headers[0])
        self.wanted = [_read_symbol(entry, self.needed) for entry in table.undefsyms]
        self.defined = [_read_symbol(entry, []) for entry in table.extdefsyms]


def _read_texts(commands: Any, *kinds: int) -> "list[str]":
    return [data.rstrip(b"\0").decode() for command, _, data in commands if command.cmd in kinds]


def _read_least(command: Any) -> "tuple[int, int] | None":
    """Return the minimum version of macOS in a load command, or None."""
    kind, body = command[0].cmd, command[1]
    if kind == mach_o.LC_BUILD_VERSION and body.platform == mach_o.PLATFORM_MACOS:
        version = int(body.minos)
    elif kind == mach_o.LC_VERSION_MIN_MACOSX:
        version = int(body.version)
    else:
        return None
    return version >> 16, version >> 8 & 0xFF


def _read_symbol(entry: Any, libraries: "list[str]") -> Symbol:
    """Return a symbol by its name in C."""
    values, name = entry
    flags = int(values.n_desc) & 0xFFFF
    # Libraries count from 1; other numbers name no library.
    number = flags >> 8
    library = libraries[number - 1] if 0 < number <= len(libraries) else ""
    binding = "STB_WEAK" if flags & mach_o.N_WEAK_REF else "STB_GLOBAL"
    return Symbol(name.decode().removeprefix("_"), library=library, binding=binding)
