"""What the dynamic linker reads of a binary, and the traces of the machine that made it."""

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

# The builder of the linker puts these into what it links.
LINKER_MADE = {"_init", "_fini", "_edata", "_end", "__bss_start", "__bss_start__", "__end__"}

# Where Nix keeps what it builds, and where it builds: in the sandbox, and without one.
TRACES = re.compile(rb"(?:(?<![\w.-])/(?:nix/store|nix/var/nix|build)/|/nix-build-)")
# What is before and after it in a text, as far as it is shown: some compilers write all texts behind each other.
BEFORE = re.compile(rb"[\x20-\x7e]{,200}\Z")
AFTER = re.compile(rb"[\x20-\x7e]{,1000}")


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
    """One file, read when it is made; what a format does not have is empty."""

    # What the format calls the processor.
    machine: str
    needed: "list[str]"
    run_paths: "list[str]"
    versions: "list[tuple[str, str]]"
    wanted: "list[Symbol]"
    defined: "list[Symbol]"
    debug_information: "list[range]"

    def __init__(self, path: Path) -> None:
        self.path = path

    @cached_property
    def traces(self) -> "list[Trace]":
        """Strings that hold a path of the store or of a build folder."""
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
        """What other binaries of the process can see, but for what every linker makes."""
        return [symbol for symbol in self.defined if symbol.name not in LINKER_MADE]

    @property
    def unique(self) -> "list[Symbol]":
        """Symbols of which the process has one only, however often they are loaded."""
        # The number of STB_GNU_UNIQUE is one that each system may use as it likes.
        return [symbol for symbol in self.defined if symbol.binding in ("STB_LOOS", "STB_GNU_UNIQUE")]
