"""Run the registration check: `python3 -m registration_check [--shown-as NAME] FOLDER`.

It needs only Python, 3.9 or newer, and does not run the kernel's code.
"""

from __future__ import annotations

import argparse
import ast
import sys
from pathlib import Path

from checking.problem import Problem, tell, warn

from registration_check.names import LIBRARIES, Registration, find_registrations

PREFIX = "add_op_namespace_prefix"
HEADLINE = f"operators would be shared with other builds: their names do not come from {PREFIX}"
LENGTH_SHOWN = 100


def explain_registration(found: Registration, path: str, text: str, shown_as: str) -> Problem:
    """Return the problem for a registration in the file at `path`, which has this text."""
    call = " ".join((ast.get_source_segment(text, found.call) or "").split())
    if len(call) > LENGTH_SHOWN:
        call = f"{call[: LENGTH_SHOWN - 1]}…"
    function = ast.unparse(found.call.func)
    if found.function in LIBRARIES:
        want = f"the namespace of this build; every other build would register in {found.name!r} too"
        fix, name = f'write {function}(ops.name, "FRAGMENT")', "ops"
    else:
        own = found.name.rpartition("::")[2].partition("(")[0]
        argument = f'"{own}"' if found.is_whole and own else "…"
        want = f"a name in the namespace of this build, from {PREFIX}"
        fix, name = f"write {function}({PREFIX}({argument}), …)", PREFIX
        if found.name not in call:
            call += f"\nwhose name {'is' if found.is_whole else 'begins with'} {found.name!r}"
    dots = "." * (path.count("/") + 1)
    at = f"{shown_as}/{path}:{found.call.lineno}"
    return Problem(at, call, want, f"{fix}\nwith `from {dots}_ops import {name}`")


def check_file(file: Path, path: str, shown_as: str) -> tuple[list[Problem], list[Problem]]:
    """Return the problems of a Python file, and those of its functions, which may never be called."""
    try:
        text = file.read_text(encoding="utf-8-sig")
        registrations = list(find_registrations(ast.parse(text)))
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None) or 1
        found = getattr(error, "msg", None) or str(error)
        version = ".".join(map(str, sys.version_info[:2]))
        want = f"a file that Python {version} can read"
        return [Problem(f"{shown_as}/{path}:{line}", found, want, "correct the syntax")], []
    pairs = [(each.is_later, explain_registration(each, path, text, shown_as)) for each in registrations]
    return [each for is_later, each in pairs if not is_later], [each for is_later, each in pairs if is_later]


def main(arguments: list[str]) -> int:
    """Check the Python code below a folder and return the exit status."""
    parser = argparse.ArgumentParser(prog="registration_check", description=__doc__)
    parser.add_argument("--shown-as", help="the folder's name in messages (default: the folder)")
    parser.add_argument("folder", type=Path)
    options = parser.parse_args(arguments)
    files = sorted(options.folder.rglob("*.py"))
    problems: list[Problem] = []
    warnings: list[Problem] = []
    for file in files:
        path = file.relative_to(options.folder).as_posix()
        wrong, doubtful = check_file(file, path, options.shown_as or str(options.folder))
        problems += wrong
        warnings += doubtful
    warn(f"if these functions are called, {HEADLINE}", warnings)
    status = tell(HEADLINE, problems)
    if not status:
        print(f"registration: {len(files)} Python files, every operator in the build's own namespace")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
