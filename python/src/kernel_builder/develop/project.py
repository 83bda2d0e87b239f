"""The kernel as a project of CMake and setuptools, written from the plan of one variant.

The flags are the plan's own. A package's folder stands in them as `@package@`; whoever writes a
file says what becomes of it.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from kernel_builder.kernel.repository import find_root
from kernel_builder.messages.errors import KernelBuilderError, Problem

TEMPLATES: Final = Path(__file__).parent / "project_files"
LANGUAGES: Final = {"gcc": "C", "g++": "CXX", "nvcc": "CUDA"}
# Recognised where the kernel's Python files are gathered, which then makes its own.
MARK: Final = "# Made by kernel-builder create-pyproject"

_PACKAGE = re.compile(r"@([a-z][-a-z0-9_]*)@")


@dataclass(frozen=True)
class Unit:
    """One source file and how it is compiled."""

    source: str
    headers: tuple[str, ...]
    compiler: str
    flags: tuple[str, ...]


@dataclass(frozen=True)
class Project:
    """A kernel in one variant: its plan, and what its `project` output says besides."""

    data: Mapping[str, Any]
    plan: Mapping[str, Any]
    units: tuple[Unit, ...]
    # The same for every state of the sources: a project is built again and again.
    extension: str

    @property
    def generated(self) -> str:
        """The folder of what is generated for the units."""
        return str(self.plan["generatedFolder"])

    @property
    def package(self) -> str:
        """The folder of the Python files."""
        return f"torch-ext/{self.data['pythonName']}"


def read_project(data: Mapping[str, Any]) -> Project:
    """Return the project that one variant's `project` output describes."""
    plan = data["plan"]
    extension = f"_{data['pythonName']}_{plan['backend']}_dev"
    unknown = {unit["compiler"] for unit in plan["units"]} - set(LANGUAGES)
    if unknown:
        problem = Problem(
            at=plan["variant"],
            found=f"units for {', '.join(sorted(unknown))}",
            want=f"units for {', '.join(LANGUAGES)}",
            fix="choose another --variant; this backend is built with kernel-builder build",
        )
        raise KernelBuilderError(f"no project can be made of {plan['variant']}", [problem])
    units = tuple(
        Unit(
            source=unit["source"],
            headers=tuple(unit["headers"]),
            compiler=unit["compiler"],
            flags=(
                *unit["flags"],
                *(flag for each in _passes(unit) for flag in each["flags"]),
                *_named(unit["nameFlags"], extension),
            ),
        )
        for unit in plan["units"]
    )
    return Project(data, plan, units, extension)


def fill_in(words: Iterable[str], folder_of: Callable[[str], str], python: str) -> list[str]:
    """Return words of the plan with folders in them: those of packages, and Python's headers."""
    # Python says itself where its headers are, under a folder of its version.
    known = [word.replace("@python@/include", python) for word in words]
    return [_PACKAGE.sub(lambda found: folder_of(found[1]), word) for word in known]


def make_files(project: Project) -> dict[str, str]:
    """Return the generated files, by their names in the kernel's folder."""
    packages = find_root() / "pkgs"
    operators = (packages / "kernel/assemble-variant/templates/_ops.py").read_text(encoding="utf-8")
    imports = f"\nfrom . import {project.extension}  # noqa: F401\n" if project.units else ""
    operators = operators.replace("@import_extension@", imports)
    render = _renderer(project)
    files = {
        "pyproject.toml": render("pyproject.toml"),
        f"{project.package}/_ops.py": f"{MARK}; a build makes its own.\n"
        + operators.replace("@extension@", project.extension),
    }
    if project.units:
        for name in ("registration.h", "name.c"):
            file = packages / "compile" / "link-extension" / name
            files[f"{project.generated}/{name}"] = file.read_text(encoding="utf-8")
        files[f"{project.generated}/find.py"] = render("find.py")
        files |= {name: render(name) for name in ("CMakeLists.txt", "setup.py")}
    return files


def list_sources(project: Project, kernel: Path) -> Iterable[str]:
    """Return the kernel's own files that a project in another folder needs."""
    for unit in project.units:
        yield from (unit.source, *unit.headers)
    for path in sorted((kernel / project.package).rglob("*")):
        if path.suffix[1:] in project.data["pyext"] and path.name != "_ops.py":
            yield path.relative_to(kernel).as_posix()
    for path in sorted((kernel / "tests").rglob("*.py")):
        yield path.relative_to(kernel).as_posix()


def _named(flags: Iterable[str], extension: str) -> list[str]:
    return [flag.replace("@extension@", extension) for flag in flags]


def _passes(unit: Mapping[str, Any]) -> list[Any]:
    """Return what a unit is compiled for beside the host, here in one go."""
    return list(unit["device"]["passes"]) if unit["device"] else []


def _renderer(project: Project) -> Callable[[str], str]:
    """Return what fills in a template by its name."""
    import jinja2
    import tomlkit

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters["toml"] = lambda value: tomlkit.item(value).as_string()
    data, plan = project.data, project.plan
    used = {LANGUAGES[unit.compiler] for unit in project.units}
    # Without units there is nothing to link.
    link = plan["link"] or {"name": {"flags": []}, "arguments": []}
    builds = ["cmake>=3.26", "ninja", f"torch=={plan['torch']}"] if project.units else []
    values = {
        "variant": plan["variant"],
        "kernel": plan["kernel"],
        "torch": plan["torch"],
        "python_name": data["pythonName"],
        "version": data["version"] or 1,
        "license": data["license"],
        "requires": ["setuptools>=61", *builds],
        "depends": ["torch", *data["pythonDepends"]],
        "data": [*(f"*.{ending}" for ending in data["pyext"] if ending != "py"), "*.so"],
        "package": project.package,
        "generated": project.generated,
        "extension": project.extension,
        "cuda": "CUDA" in used,
        # Whatever the units are, the link is C++, and the file that names the extension is C.
        "languages": " ".join(dict.fromkeys(["C", "CXX", *sorted(used)])),
        "units": [{"source": unit.source, "flags": _shell(unit.flags)} for unit in project.units],
        "is_late": any(unit["extensionName"] == "late" for unit in plan["units"]),
        "name_flags": ";".join(_cmake(_named(link["name"]["flags"], project.extension))),
        "link_arguments": "\n  ".join(f'"{word}"' for word in _cmake(link["arguments"])),
    }
    return lambda name: environment.get_template(f"{name}.jinja").render(values)


def _cmake(words: Iterable[str]) -> list[str]:
    """Return words of the plan with CMake's variables for folders."""
    # Where a toolkit of the machine has its libraries, CMake knows.
    known = [word.replace("@cuda@/lib", "${CUDAToolkit_LIBRARY_DIR}") for word in words]
    return fill_in(known, lambda name: "${TORCH}" if name == "torch" else "${CUDA}", "${PYTHON}")


def _shell(flags: Iterable[str]) -> str:
    """Return flags in one string, which CMake takes apart again: a list would lose repetitions."""
    lines: list[str] = []
    for flag in map(_quote, _cmake(flags)):
        if lines and lines[-1] == "-isystem":
            lines[-1] += f" {flag}"
        else:
            lines.append(flag)
    return " \\\n  ".join(lines)


def _quote(flag: str) -> str:
    """Return a flag as the shell reads it, within a string of CMake; folders become whole."""
    if flag.startswith("-I"):
        flag = f"-I${{KERNEL}}/{flag[2:]}" if flag != "-I." else "-I${KERNEL}"
    if "${" in flag:
        return f'\\"{flag}\\"'
    return shlex.quote(flag).replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$")
