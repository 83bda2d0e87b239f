"""The check as a program: `python3 -m registration_check [--shown-as NAME] FOLDER`.

It needs nothing but Python, 3.9 or newer, and runs none of the kernel's code.
"""

from __future__ import annotations

import argparse
import ast
import sys
from pathlib import Path

from checking.problem import Problem, tell, warn

from registration_check.names import LIBRARIES, Module, Registration, find_registrations

PREFIX = "add_op_namespace_prefix"
LENGTH_SHOWN = 100


def read_modules(folder: Path, shown_as: str) -> tuple[list[Module], list[Problem]]:
    """Return the Python files below a folder, and those that are none."""
    modules, problems = [], []
    for file in sorted(folder.rglob("*.py")):
        path = file.relative_to(folder).as_posix()
        try:
            text = file.read_text(encoding="utf-8-sig")
            modules.append(Module(path, text, ast.parse(text)))
        except (SyntaxError, ValueError) as error:
            line = getattr(error, "lineno", None) or 1
            version = ".".join(map(str, sys.version_info[:2]))
            problems.append(
                Problem(
                    at=f"{shown_as}/{path}:{line}",
                    found=getattr(error, "msg", None) or str(error),
                    want=f"a file that Python {version} can read",
                    fix="correct the syntax",
                )
            )
    return modules, problems


def explain(found: Registration, module: Module, shown_as: str) -> Problem:
    """Return the problem that a registration is."""
    call = " ".join((ast.get_source_segment(module.text, found.call) or "").split())
    if len(call) > LENGTH_SHOWN:
        call = f"{call[: LENGTH_SHOWN - 1]}…"
    function = ast.unparse(found.call.func)
    if found.function in LIBRARIES:
        want = f"the namespace of this build; every other build would register in {found.name!r} too"
        fix, name = f'write {function}(ops.name, "FRAGMENT")', "ops"
    else:
        own = found.name.rpartition("::")[2].partition("(")[0]
        text = f'"{own}"' if found.is_whole and own else "…"
        want = f"a name in the namespace of this build, from {PREFIX}"
        fix, name = f"write {function}({PREFIX}({text}), …)", PREFIX
        if found.name not in call:
            call += f"\nwhose name {'is' if found.is_whole else 'begins with'} {found.name!r}"
    at = f"{shown_as}/{module.path}:{found.call.lineno}"
    return Problem(at, call, want, f"{fix}\nwith `from {module.dots}_ops import {name}`")


def main(arguments: list[str]) -> int:
    """Check the Python code below a folder and return the exit status."""
    parser = argparse.ArgumentParser(prog="registration_check", description=__doc__)
    parser.add_argument("--shown-as", help="the folder's name in messages (default: the folder)")
    parser.add_argument("folder", type=Path)
    options = parser.parse_args(arguments)
    shown_as = options.shown_as or str(options.folder)
    modules, problems = read_modules(options.folder, shown_as)
    warnings: list[Problem] = []
    for module in modules:
        for found in find_registrations(module, modules):
            (warnings if found.is_later else problems).append(explain(found, module, shown_as))
    headline = f"operators would be shared with other builds: their names do not come from {PREFIX}"
    warn(f"if these functions are called, {headline}", warnings)
    status = tell(headline, problems)
    if not status:
        print(f"registration: {len(modules)} Python files, every operator in the build's own namespace")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
