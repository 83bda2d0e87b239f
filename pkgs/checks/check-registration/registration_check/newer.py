"""Finds modules and names of Python that the oldest Python of users does not have."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from checking.problem import Problem

from registration_check.files import OLDEST
from registration_check.imports import Package
from registration_check.uses import Use

# The version of each module that came later, or the versions of its names; from tools/newer_python_names.py.
NEWER: Mapping[str, str | Mapping[str, str]] = json.loads(Path(__file__).with_name("newer-names.json").read_text())
SHOWN = ".".join(map(str, OLDEST))
HEADLINE = f"Python {SHOWN} lacks these, and users may have it"
WANT = f"modules and names of Python {SHOWN}, the oldest that a supported Torch has"


def find_newer(package: Package) -> list[Problem]:
    """Return a problem for each module and name that the oldest Python lacks, and that no condition guards."""
    problems = []
    for file in package.files:
        for use in package.uses[file.path]:
            if use.is_relative or use.context.may_fail or use.context.may_be_newer:
                continue
            for name, version in _list_newer(use):
                fix = f"take it under `if sys.version_info >= ({version.replace('.', ', ')})` alone, or in a `try`"
                found = f"{name}, of Python {version} and newer"
                problems.append(Problem(f"{file.at}:{use.line}: {use.text}", found, WANT, fix))
    return list(dict.fromkeys(problems))


def _list_newer(use: Use) -> Iterator[tuple[str, str]]:
    module = ".".join(use.target or ())
    for length in range(1, len(use.target or ()) + 1):
        inside = ".".join((use.target or ())[:length])
        if isinstance(version := NEWER.get(inside), str):
            # Its import is found already.
            if use.text.startswith(("import ", "from ")):
                yield inside, version
            return
    known = NEWER.get(module, {})
    for name in use.names:
        if isinstance(version := NEWER.get(f"{module}.{name}"), str):
            yield f"{module}.{name}", version
        for version, added in known.items() if not isinstance(known, str) else ():
            if name in added.split():
                yield (name if module == "builtins" else f"{module}.{name}"), version
