"""The check as a program: `python3 -m registration_check [--shown-as NAME] FOLDER`.

It needs nothing but Python, 3.9 or newer.
"""

from __future__ import annotations

import argparse
import ast
import sys
from pathlib import Path

from checking.problem import Problem, tell, warn

from registration_check.functions import PREFIX
from registration_check.rules import Module, find_problems


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


def main(arguments: list[str]) -> int:
    """Check the Python code below a folder and return the exit status."""
    parser = argparse.ArgumentParser(prog="registration_check", description=__doc__)
    parser.add_argument("--shown-as", help="the folder's name in messages (default: the folder)")
    parser.add_argument("folder", type=Path)
    options = parser.parse_args(arguments)
    shown_as = options.shown_as or str(options.folder)
    modules, problems = read_modules(options.folder, shown_as)
    problems += find_problems(modules, shown_as)
    headline = f"operators would be shared with other builds: their names do not come from {PREFIX}"
    warn(f"if these functions are called, {headline}", list(find_problems(modules, shown_as, in_functions=True)))
    status = tell(headline, problems)
    if not status:
        print(f"registration: {len(modules)} Python files, every operator in the build's own namespace")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
