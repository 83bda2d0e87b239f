"""Finds files of a kernel that hide modules of Python, or of packages, where its folder is on the path."""

from __future__ import annotations

import sys
from collections.abc import Collection

from checking.problem import Problem

from registration_check.imports import Package

HIDDEN = "with the variant on PYTHONPATH, files hide modules that others import"
WANT = "names of its own at the top of the package"


def find_hiding(package: Package, declared: Collection[str]) -> list[Problem]:
    """Return a problem for each module at the top that is called like one that users have."""
    known = {*getattr(sys, "stdlib_module_names", ()), *declared} - {package.name}
    problems = []
    for name in sorted({file.path.split("/")[0].removesuffix(".py") for file in package.files} & known):
        # A package comes before a module, and a folder without an `__init__.py` after both.
        if any(file.module == (name,) for file in package.files):
            is_folder = (package.folder / name).is_dir()
            at = f"{package.shown_as}/{name}" + ("/" if is_folder else ".py")
            found = f"a {'package' if is_folder else 'module'} that is called like the module {name} of others"
            fix = f"rename it, such as to _{name}; kernels.get_kernel does not put the folder on the path"
            problems.append(Problem(at, found, WANT, fix))
    return problems
