"""Run the ABI check: `python3 -m abi_check [OPTION…] FOLDER`."""

import argparse
import struct
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from checking.facts import SYSTEMS
from checking.problem import Problem, tell, warn
from checking.variant import Variant
from elftools.common.exceptions import ELFError

from abi_check import macos
from abi_check.binary import Binary
from abi_check.elf import Elf
from abi_check.macho import MAGICS, MachO
from abi_check.policy import Provided
from abi_check.report import format_report
from abi_check.rules import RULES, Check, Rule, debug_traces


@dataclass(frozen=True)
class Format:
    """A format of binaries: its name, its system, its reader and its rules."""

    name: str
    title: str
    magics: "tuple[bytes, ...]"
    read: "Callable[[Path], Binary]"
    rules: "tuple[Rule, ...]"
    report: "Callable[[Check], str]"


# Exceptions of the readers for a file that ends too early, or that was written over.
DAMAGE = (ELFError, IndexError, UnicodeDecodeError, ValueError, struct.error)
# Formats by the `os` of their systems.
FORMATS = {
    "linux": Format("ELF", "Linux", (b"\x7fELF",), Elf, RULES, format_report),
    "darwin": Format("Mach-O", "macOS", MAGICS, MachO, macos.RULES, macos.format_report),
}


def read_arguments(arguments: "list[str]") -> argparse.Namespace:
    """Return the options; `objects` is a table from source to object."""
    parser = argparse.ArgumentParser(prog="abi_check", description=__doc__)
    parser.add_argument("--variant", help="the name of the variant (default: the folder's)")
    parser.add_argument("--symbols", type=Path, action="append", default=[], help="lists of what libraries define")
    parser.add_argument("--object", nargs=2, action="append", default=[], metavar=("SOURCE", "OBJECT"))
    parser.add_argument("folder", type=Path)
    return parser.parse_args(arguments)


def check_binary(path: Path, variant: Variant, provided: Provided, objects: "dict[str, Path]") -> "list[Problem]":
    """Return the problems of one binary; print its report if there are none."""
    file = path.relative_to(variant.folder).as_posix()
    fix = "build it with kernel-builder"
    own = None if variant.is_noarch else SYSTEMS.get(variant.system)
    allowed = [own] if own else [*SYSTEMS.values()]
    expected = [each for os, each in FORMATS.items() if os in {system["os"] for system in allowed}]
    magic = path.read_bytes()[:4]
    kind = next((each for each in expected if magic in each.magics), None)
    if kind is None:
        names, titles = (" or ".join(words) for words in zip(*((each.name, each.title) for each in expected)))
        return [Problem(file, f"no {names} file", f"a shared library for {titles}", fix)]
    try:
        binary = kind.read(path)
    except DAMAGE as error:
        found = f"a damaged {kind.name} file: {error or type(error).__name__}"
        return [Problem(file, found, f"a whole shared library for {kind.title}", "build it again")]
    if not any(binary.machine == each["binary"] and kind is FORMATS[each["os"]] for each in allowed):
        want = f"code for {own['machine']}" if own else "code for one of the systems that are supported"
        return [Problem(file, f"code for {binary.machine}", want, "build it for the system in its name")]
    check = Check(binary, variant, provided, objects)
    problems = [problem for rule in kind.rules for problem in rule(check)]
    if not problems:
        print(kind.report(check), flush=True)
        warn(f"{variant.name} says where it was built", list(debug_traces(check)))
    return problems


def main(arguments: "list[str]") -> int:
    """Check the binaries of a variant and return the exit status."""
    options = read_arguments(arguments)
    variant = Variant(options.folder, options.variant or options.folder.resolve().name)
    provided = Provided(options.symbols)
    objects = {source: Path(path) for source, path in options.object}
    problems = [
        problem for path in variant.find_binaries() for problem in check_binary(path, variant, provided, objects)
    ]
    return tell(f"{variant.name} does not load everywhere", problems)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
