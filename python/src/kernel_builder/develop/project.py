"""Puts a project together: generated files, and for a folder of its own the kernel's sources."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from kernel_builder.develop.cmake import write_cmake, write_find
from kernel_builder.develop.packaging import write_pyproject, write_setup
from kernel_builder.develop.plan import Project
from kernel_builder.kernel.repository import find_root

# Recognised where the kernel's Python files are gathered, which then makes its own.
MARK: Final = "# Made by kernel-builder create-pyproject"


def make_files(project: Project) -> dict[str, str]:
    """Return the generated files, by their names in the kernel's folder."""
    packages = find_root() / "pkgs"
    operators = (packages / "kernel/assemble-variant/templates/_ops.py").read_text(encoding="utf-8")
    imports = f"\nfrom . import {project.extension}  # noqa: F401\n" if project.units else ""
    operators = operators.replace("@import_extension@", imports)
    files = {
        "pyproject.toml": write_pyproject(project),
        f"{project.package}/_ops.py": f"{MARK}; a build makes its own.\n"
        + operators.replace("@extension@", project.extension),
    }
    if not project.units:
        return files
    sources = packages / "compile" / "link-extension"
    for name in ("registration.h", "name.c"):
        files[f"{project.generated}/{name}"] = (sources / name).read_text(encoding="utf-8")
    return {
        **files,
        f"{project.generated}/find.py": write_find(project),
        "CMakeLists.txt": write_cmake(project),
        "setup.py": write_setup(project),
    }


def list_sources(project: Project, kernel: Path) -> Iterable[str]:
    """Return the kernel's own files that a project in another folder needs."""
    for unit in project.units:
        yield from (unit.source, *unit.headers)
    for path in sorted((kernel / project.package).rglob("*")):
        if path.suffix[1:] in project.pyext and path.name != "_ops.py":
            yield path.relative_to(kernel).as_posix()
    for path in sorted((kernel / "tests").rglob("*.py")):
        yield path.relative_to(kernel).as_posix()
