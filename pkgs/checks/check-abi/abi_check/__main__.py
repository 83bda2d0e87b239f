"""Run the ABI check: `python3 -m abi_check [OPTION…] FOLDER`."""

import argparse
import json
import re
import struct
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from checking.facts import SYSTEMS
from checking.problem import Problem, tell, warn
from checking.variant import Variant
from elftools.common.exceptions import ELFError

from abi_check import macos, parallel
from abi_check.binary import Binary
from abi_check.elf import Elf
from abi_check.facts import collect_facts, find_missing, format_facts
from abi_check.macho import MAGICS, MachO
from abi_check.policy import Provided, order
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
    parser.add_argument("--torch-stable-abi", metavar="VERSION", help="the newest stable ABI of Torch that is allowed")
    parser.add_argument("--facts", metavar="JSON", help="print facts; the sizes of published variants by name")
    parser.add_argument("folder", type=Path)
    return parser.parse_args(arguments)


def read_binary(path: Path, variant: Variant) -> "tuple[Format, Binary] | Problem":
    """Return a binary with its format, or the problem that keeps it from being one of this variant."""
    file = path.relative_to(variant.folder).as_posix()
    fix = "build it with kernel-builder"
    own = None if variant.is_noarch else SYSTEMS.get(variant.system)
    allowed = [own] if own else [*SYSTEMS.values()]
    expected = [each for os, each in FORMATS.items() if os in {system["os"] for system in allowed}]
    magic = path.read_bytes()[:4]
    kind = next((each for each in expected if magic in each.magics), None)
    if kind is None:
        names, titles = (" or ".join(words) for words in zip(*((each.name, each.title) for each in expected)))
        return Problem(file, f"no {names} file", f"a shared library for {titles}", fix)
    try:
        binary = kind.read(path)
    except DAMAGE as error:
        found = f"a damaged {kind.name} file: {error or type(error).__name__}"
        return Problem(file, found, f"a whole shared library for {kind.title}", "build it again")
    if not any(binary.machine == each["binary"] and kind is FORMATS[each["os"]] for each in allowed):
        want = f"code for {own['machine']}" if own else "code for one of the systems that are supported"
        return Problem(file, f"code for {binary.machine}", want, "build it for the system in its name")
    return kind, binary


def check_binary(kind: Format, check: Check) -> "list[Problem]":
    """Return the problems of one binary; print its report if there are none."""
    problems = [problem for rule in kind.rules for problem in rule(check)]
    if not problems:
        print(kind.report(check), flush=True)
        warn(f"{check.variant.name} says where it was built", list(debug_traces(check)))
        if kind is FORMATS["linux"]:
            warn(parallel.HEADLINE, list(parallel.find_serial_loops(check)))
    return problems


def check_release(variant: Variant, newest: "str | None") -> "list[Problem]":
    """Return a problem if a variant is not for the stable ABI of this Torch or an older one."""
    found = re.match(r"torch-stable-abi(\d)(\d+)", variant.name)
    if not newest or (found and tuple(map(int, found.groups())) <= order(newest)):
        return []
    said = f"the stable ABI of Torch {found[1]}.{found[2]}" if found else "no stable ABI"
    want = f"the stable ABI of Torch {newest} or older"
    return [Problem(variant.name, said, want, "state `stable-abi` in [torch] of build.toml and build again")]


def main(arguments: "list[str]") -> int:
    """Check the binaries of a variant, or print its facts, and return the exit status."""
    options = read_arguments(arguments)
    variant = Variant(options.folder, options.variant or options.folder.resolve().name)
    provided = Provided(options.symbols)
    objects = {source: Path(path) for source, path in options.object}
    found = [read_binary(path, variant) for path in variant.find_binaries()]
    problems = [each for each in found if isinstance(each, Problem)]
    read = [each for each in found if not isinstance(each, Problem)]
    checks = [Check(binary, variant, provided, objects) for _, binary in read]
    if options.facts:
        facts = collect_facts(variant, checks, json.loads(options.facts).get(variant.name))
        print(json.dumps({**facts, "text": f"\n{format_facts(variant, facts)}\n"}))
        return tell(f"{variant.name} lacks device code", find_missing(variant, facts))
    problems += check_release(variant, options.torch_stable_abi)
    problems += [problem for (kind, _), check in zip(read, checks) for problem in check_binary(kind, check)]
    return tell(f"{variant.name} does not load everywhere", problems)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
