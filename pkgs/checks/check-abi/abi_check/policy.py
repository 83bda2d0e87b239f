"""The oldest machine to support: auditwheel's policy manylinux_2_28, and Python 3.9's stable ABI."""

import json
import re
from collections.abc import Iterable
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

from abi3info import DATAS, FUNCTIONS
from abi3info.models import PyVersion, Symbol
from auditwheel.architecture import Architecture
from auditwheel.libc import Libc
from auditwheel.policy import Policy, WheelPolicies
from checking.facts import BACKENDS, SYSTEMS
from checking.framework import FRAMEWORKS
from checking.variant import Variant

POLICY = "manylinux_2_28"
PYTHON = PyVersion(3, 9)
LINUX = [each for each in SYSTEMS.values() if each["os"] == "linux"]
MACHINES = {each["binary"]: Architecture(each["machine"]) for each in LINUX}
FAMILIES = ("GLIBC", "GLIBCXX", "CXXABI", "GCC")
# Patterns of the libraries of each framework.
LIBRARIES = json.loads(Path(__file__).with_name("libraries.json").read_text())
LOADERS = tuple(each["loader"] for each in LINUX)


@cache
def policy_for(machine: str) -> Policy:
    """Return the policy that a kernel has to meet on a machine, by its name in an ELF file."""
    architecture = MACHINES[machine]
    return WheelPolicies(libc=Libc.GLIBC, arch=architecture).get_policy_by_name(f"{POLICY}_{architecture.value}")


def order(version: str) -> "tuple[int, ...]":
    """Return the numbers of a version, for comparisons."""
    return tuple(map(int, re.findall(r"\d+", version)))


def split_version(version: str) -> "tuple[str, str]":
    """Return family and number of a symbol's version: `GLIBC` and `2.14`."""
    family, _, number = version.partition("_")
    return family, number


def is_allowed(policy: Policy, version: str) -> bool:
    """Return whether the policy has a symbol version, or does not limit its family."""
    family, number = split_version(version)
    return family not in policy.symbol_versions or number in policy.symbol_versions[family]


def newest(policy: Policy, family: str) -> str:
    """Return the newest version of a family in the policy."""
    numbers = [number for number in policy.symbol_versions[family] if number[0].isdigit()]
    return max(numbers, key=order)


def libraries_for(policy: Policy, variant: Variant) -> "list[str]":
    """Return patterns of the libraries that a kernel may be linked with."""
    depends = variant.read_metadata().get("python-depends", [])
    # A framework that the kernel's Python code imports has loaded its libraries.
    imported = [name for each in FRAMEWORKS if each.name in depends for name in LIBRARIES[each.name]]
    own = [*LIBRARIES[variant.framework.name], *BACKENDS.get(variant.backend, {}).get("libraries", []), *imported]
    return [*sorted(policy.whitelist), *LOADERS, *(name.replace("@major@", variant.major) for name in own)]


def matches(library: str, patterns: "list[str]") -> bool:
    """Return whether a library matches one of the patterns."""
    return any(fnmatch(library, pattern) for pattern in patterns)


def is_python(name: str) -> bool:
    """Return whether a symbol is one of Python's."""
    return name.startswith(("Py", "_Py"))


def stable_since(name: str) -> "PyVersion | None":
    """Return the first version of Python whose stable ABI has a symbol, or None."""
    symbol = Symbol(name)
    known = FUNCTIONS.get(symbol) or DATAS.get(symbol)
    if known is None or (known.ifdef is not None and known.ifdef.windows is True and "Windows" in known.ifdef.doc):
        return None
    return known.added


class Provided:
    """The symbols of the libraries whose lists are in the folders."""

    def __init__(self, folders: "list[Path]") -> None:
        self.libraries: dict[str, set[str]] = {}
        self._needs: dict[str, list[str]] = {}
        for folder in folders:
            for file in sorted(folder.iterdir()):
                lines = file.read_text().splitlines()
                needs = [line for line in lines if line.startswith("NEEDED ")]
                # The list of the platform comes first, so it counts for a library that a package bundles, too.
                self.libraries.setdefault(file.name, {*lines} - {*needs})
                self._needs.setdefault(file.name, [line.partition(" ")[2] for line in needs])
        self._versioned = {name for names in self.libraries.values() for name in names}
        self._names = {library: {name.partition("@")[0] for name in names} for library, names in self.libraries.items()}

    def has(self, library: str) -> bool:
        """Return whether the symbols of a library are known."""
        return library in self.libraries

    def load(self, libraries: "Iterable[str]") -> "set[str]":
        """Return the libraries that are loaded with these: they and the libraries that they need, and so on."""
        loaded: set[str] = set()
        pending = [*libraries]
        while pending:
            library = pending.pop()
            if library not in loaded:
                loaded.add(library)
                pending += self._needs.get(library, [])
        return loaded

    def offers(self, name: str, version: str, library: str) -> bool:
        """Return whether a symbol is provided in this version, by this library if its symbols are known."""
        return f"{name}@{version}" in self.libraries.get(library, self._versioned)

    def find(self, name: str) -> "set[str]":
        """Return the libraries that have a symbol of this name, in any version."""
        return {library for library, names in self._names.items() if name in names}

    def home_of(self, name: str) -> str:
        """Return the library that has the symbol, or an empty string."""
        for library, names in self.libraries.items():
            if name in names:
                return library
        return ""
