"""The rules for binaries for macOS, in addition to those for all systems."""

import json
from collections.abc import Iterator
from pathlib import Path

from checking.facts import BACKENDS
from checking.framework import FRAMEWORKS
from checking.problem import Problem

from abi_check import policy as rules_of
from abi_check import rules
from abi_check.macho import MachO
from abi_check.policy import PYTHON
from abi_check.report import format_rows, newest_python
from abi_check.rules import Check, Rule, exports, python, torch, traces

# Patterns of libraries, by provider.
LIBRARIES = json.loads((Path(__file__).parent / "macos.json").read_text())
LEAST = {name: tuple(map(int, data["macos"].split("."))) for name, data in BACKENDS.items() if data.get("macos")}


def of_macos(check: Check) -> MachO:
    """Return the binary of a check of a Mach-O file."""
    assert isinstance(check.binary, MachO), "internal error: these rules are for macOS"
    return check.binary


def write(version: "tuple[int, int] | None") -> str:
    """Return a version as text."""
    return ".".join(map(str, version)) if version else "none"


def least_for(check: Check) -> "tuple[int, int]":
    """Return the newest version of macOS that a kernel may require. For an unknown backend, it is the oldest of all."""
    major, minor = LEAST.get(check.variant.backend, min(LEAST.values(), default=(0, 0)))
    return major, minor


def owner_of(check: Check, library: str) -> str:
    """Return the provider of a library, or an empty string."""
    depends = check.variant.read_metadata().get("python-depends", [])
    frameworks = [each for each in FRAMEWORKS if each in (check.variant.framework,) or each.name in depends]
    titles = {"macOS": "macOS", **{each.name: each.title for each in frameworks}}
    return next((titles[name] for name in titles if rules_of.matches(library, LIBRARIES[name])), "")


def least_macos(check: Check) -> "Iterator[Problem]":
    """Check that the binary loads on the oldest supported macOS."""
    found, allowed = of_macos(check).least_macos, least_for(check)
    if found is None or found > allowed:
        yield Problem(
            at=check.file,
            found=f"macOS {write(found)} or newer" if found else "no word of the macOS that it needs",
            want=f"macOS {write(allowed)} or older as the least",
            fix="take -mmacosx-version-min out of the flags, or build it with kernel-builder",
        )


def libraries(check: Check) -> "Iterator[Problem]":
    """Check that macOS or the framework has each library."""
    for library in check.binary.needed:
        if not owner_of(check, library):
            yield rules.describe_library(check, library, f"macOS and of {check.variant.framework.title}")


def run_paths(check: Check) -> "Iterator[Problem]":
    """Check that run paths are relative to the kernel."""
    for path in check.binary.run_paths:
        if not path.startswith("@loader_path"):
            yield rules.describe_run_path(check, path, "run paths that begin with @loader_path")


def undefined(check: Check) -> "Iterator[Problem]":
    """Check that the linker found each symbol in a library, except those of Python."""
    for symbol in (symbol for symbol, home in rules.find_homes(check) if home is None):
        yield rules.describe_undefined(check, symbol, "no library that it is linked with has")


def format_report(check: Check) -> str:
    """Return the report of one binary."""
    binary = of_macos(check)
    rows = [
        ("macOS", write(binary.least_macos), write(least_for(check))),
        ("Python", newest_python(binary), str(PYTHON)),
        ("symbols", f"{len(binary.wanted)} wanted, all of a library or of Python", "all there"),
        ("exports", ", ".join(symbol.name for symbol in binary.exported), check.variant.framework.exports),
        *(("library", library, owner_of(check, library)) for library in binary.needed),
        *(("run path", path, "@loader_path") for path in binary.run_paths),
    ]
    return format_rows(check, rows)


RULES: "tuple[Rule, ...]" = (least_macos, libraries, python, torch, undefined, exports, run_paths, traces)
