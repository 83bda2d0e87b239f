"""The check as a program: `python3 -m abi_check [OPTION…] FOLDER`."""

import argparse
import sys
from pathlib import Path

from checking.problem import Problem, tell, warn
from checking.variant import Variant

from abi_check.binary import Binary
from abi_check.policy import MACHINES, policy_for
from abi_check.provided import Provided
from abi_check.report import format_report
from abi_check.rules import RULES, Check, debug_traces


def read_arguments(arguments: "list[str]") -> argparse.Namespace:
    """Return the options; `objects` is a table from source to object."""
    parser = argparse.ArgumentParser(prog="abi_check", description=__doc__)
    parser.add_argument("--variant", help="the name of the variant (default: the folder's)")
    parser.add_argument("--symbols", type=Path, action="append", default=[], help="lists of what libraries define")
    parser.add_argument("--object", nargs=2, action="append", default=[], metavar=("SOURCE", "OBJECT"))
    parser.add_argument("folder", type=Path)
    return parser.parse_args(arguments)


def check_binary(path: Path, variant: Variant, provided: Provided, objects: "dict[str, Path]") -> "list[Problem]":
    """Return what is wrong with one binary; a good one gets its report printed."""
    file = path.relative_to(variant.folder).as_posix()
    if path.read_bytes()[:4] != b"\x7fELF":
        return [Problem(file, "no ELF file", "a shared library for Linux", "build it with kernel-builder")]
    binary = Binary(path)
    system = variant.name.rpartition("-")[0].rpartition("-")[2]
    machine = MACHINES.get(binary.machine)
    if machine is None or (variant.is_known and not variant.is_noarch and machine.value != system):
        want = f"code for {system}" if variant.is_known else "code for one of the systems that are supported"
        return [Problem(file, f"code for {binary.machine}", want, "build it for the system in its name")]
    check = Check(binary, variant, policy_for(binary.machine), provided, objects)
    problems = [problem for rule in RULES for problem in rule(check)]
    if not problems:
        print(format_report(check), flush=True)
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
