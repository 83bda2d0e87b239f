"""What a plan says, as a project needs it: units with whole command lines, and their link.

The flags are the plan's own. A package's folder stands in them as `@package@`; whoever writes a
file says what becomes of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from kernel_builder.messages.errors import KernelBuilderError, Problem

LANGUAGES: Final = {"gcc": "C", "g++": "CXX", "nvcc": "CUDA"}
# The name under which a unit learns of its extension: at the link, while it is compiled, or not.
LATE: Final = ("-DKERNEL_BUILDER_LATE_NAME", "-DTORCH_EXTENSION_NAME=kernel_builder_late_name")

_PACKAGE = re.compile(r"@([a-z][-a-z0-9_]*)@")


@dataclass(frozen=True)
class Unit:
    """One source file and how it is compiled."""

    source: str
    headers: tuple[str, ...]
    compiler: str
    flags: tuple[str, ...]

    @property
    def language(self) -> str:
        """Return what CMake calls the language."""
        return LANGUAGES[self.compiler]

    def expand(self, folder_of: Callable[[str], str], python_headers: str) -> list[str]:
        """Return the flags with folders in them: those of packages, and of Python's headers."""
        # Python says itself where its headers are, under a folder of its version.
        flags = [flag.replace("@python@/include", python_headers) for flag in self.flags]
        return [_PACKAGE.sub(lambda found: folder_of(found.group(1)), flag) for flag in flags]


@dataclass(frozen=True)
class Project:
    """A kernel in one variant."""

    kernel: str
    python_name: str
    variant: str
    torch: str
    version: int
    license: str | None
    depends: tuple[str, ...]
    pyext: tuple[str, ...]
    units: tuple[Unit, ...]
    libraries: tuple[str, ...]
    generated: str
    # Whether the link supplies the name, and the module's entry point with it.
    is_late: bool
    has_late_module: bool
    extension: str

    @property
    def package(self) -> str:
        """Return the folder of the Python files."""
        return f"torch-ext/{self.python_name}"

    @property
    def languages(self) -> list[str]:
        """Return what CMake has to know."""
        used = {unit.language for unit in self.units}
        # Whatever the units are, the link is C++, and the file that names the extension is C.
        return [each for each in LANGUAGES.values() if each in used or each != "CUDA"]


def read_project(data: Mapping[str, Any]) -> Project:
    """Return the project that one variant's `project` output describes."""
    plan = data["plan"]
    # The same for every state of the sources: a project is built again and again.
    extension = f"_{data['pythonName']}_{plan['backend']}_dev"
    _refuse_unknown(plan)
    # Without units there is nothing to link.
    link = plan["link"] or {"libraries": [], "module": False}
    return Project(
        kernel=plan["kernel"],
        python_name=data["pythonName"],
        variant=plan["variant"],
        torch=plan["torch"],
        version=data["version"] or 1,
        license=data["license"],
        depends=tuple(data["pythonDepends"]),
        pyext=tuple(data["pyext"]),
        units=tuple(_read_unit(unit, extension) for unit in plan["units"]),
        libraries=tuple(link["libraries"]),
        generated=plan["generatedFolder"],
        is_late=any(unit["extensionName"] == "late" for unit in plan["units"]),
        has_late_module=link["module"],
        extension=extension,
    )


def _read_unit(unit: Mapping[str, Any], extension: str) -> Unit:
    names = {"late": LATE, "own": (f"-DTORCH_EXTENSION_NAME={extension}",), "none": ()}
    return Unit(
        source=unit["source"],
        headers=tuple(unit["headers"]),
        compiler=unit["compiler"],
        flags=(*unit["flags"], *_targets(unit["device"]), *names[unit["extensionName"]]),
    )


def _targets(device: Mapping[str, Any] | None) -> list[str]:
    """Return what makes nvcc compile for every target in one go."""
    flags = []
    for each in device["passes"] if device else []:
        name = each["name"]
        code = f"[sm_{name},compute_{name}]" if each["ptx"] else f"sm_{name}"
        flags.append(f"-gencode=arch=compute_{name},code={code}")
    return flags


def _refuse_unknown(plan: Mapping[str, Any]) -> None:
    compilers = {unit["compiler"] for unit in plan["units"]} - set(LANGUAGES)
    if compilers:
        problem = Problem(
            at=plan["variant"],
            found=f"units for {', '.join(sorted(compilers))}",
            want=f"units for {', '.join(LANGUAGES)}",
            fix="choose another --variant; this backend is built with kernel-builder build",
        )
        raise KernelBuilderError("no project can be made of this variant", [problem])
