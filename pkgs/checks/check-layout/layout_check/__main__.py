"""Run the layout check: `python3 -m layout_check --by-name FILE [--variant NAME] FOLDER`."""

import argparse
import sys
from pathlib import Path

from checking.problem import Problem, tell
from checking.variant import Variant

from layout_check.files import check_needed, check_package, check_tree
from layout_check.metadata import check_metadata


def check_name(variant: Variant) -> "list[Problem]":
    """Return a problem if no client looks for a variant of this name."""
    if variant.is_known:
        return []
    want = "a name such as torch213-cxx11-cpu-x86_64-linux"
    return [Problem("the folder", variant.name, want, "let the folder have the name it was built with")]


def main(arguments: "list[str]") -> int:
    """Check the files of a variant and return the exit status."""
    parser = argparse.ArgumentParser(prog="layout_check", description=__doc__)
    parser.add_argument("--variant", help="the name of the variant (default: the folder's)")
    parser.add_argument(
        "--compiled",
        action=argparse.BooleanOptionalAction,
        help="whether the variant has compiled code (default: as its name says)",
    )
    parser.add_argument("--by-name", type=Path, required=True, help="what <name>/__init__.py has to be")
    parser.add_argument("folder", type=Path)
    options = parser.parse_args(arguments)
    variant = Variant(options.folder, options.variant or options.folder.resolve().name, options.compiled)
    problems = [
        *check_name(variant),
        *check_metadata(variant),
        *check_needed(variant),
        *check_package(variant, options.by_name.read_text()),
        *check_tree(variant),
    ]
    status = tell(f"{variant.name} is not laid out as a variant", problems)
    if not status:
        files = sum(path.is_file() for path in variant.folder.rglob("*"))
        print(f"layout: {files} files, metadata and digest as the client reads them")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
