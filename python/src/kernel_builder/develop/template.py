"""Starts a kernel from a template: a kernel that builds, with another name and fewer backends.

The templates in `templates/` are kernels themselves, for every backend that they know. What is
written is the template without the sections and folders of backends that were not asked for.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from kernel_builder.kernel.builder import PLACEHOLDER
from kernel_builder.kernel.edits import read, rewrite
from kernel_builder.machine.files import find_below, write_below
from kernel_builder.messages.choices import find_unknown
from kernel_builder.messages.errors import KernelBuilderError, Problem, UsageError

FOLDER: Final = Path(__file__).resolve().parents[1] / "templates"
BACKENDS: Final[Mapping[str, tuple[str, ...]]] = {
    file.parent.name: tuple(read(file.read_text(encoding="utf-8"))["general"]["backends"])
    for file in sorted(FOLDER.glob("*/build.toml"))
}
# Names in the templates: the kernel, its repository, and this project.
NAME: Final = "mykernel"
REPOSITORY: Final = "myorg/mykernel"
ON_GITHUB: Final = PLACEHOLDER.removeprefix("github:")
# Part of the address of the workflow that gets the token.
PIN: Final = "build-kernel.yml@COMMIT"
LICENSE: Final = "apache-2.0"

_OWNER = r"[A-Za-z0-9][A-Za-z0-9._-]*"
_KERNEL = r"[a-z][-a-z0-9]{0,94}[a-z0-9]"
# Modules that a kernel's tests import. A kernel with such a name would hide the module.
_TAKEN: Final = ("kernels", "numpy", "pytest", "tests", "torch", "triton")


@dataclass(frozen=True)
class Start:
    """The properties of a new kernel."""

    template: str
    owner: str
    name: str
    backends: tuple[str, ...]
    license: str
    address: str
    commit: str | None
    source: str | None

    @property
    def python_name(self) -> str:
        """Return the name of the kernel's module."""
        return self.name.replace("-", "_")


def read_name(name: str) -> tuple[str, str]:
    """Return owner and kernel of `owner/kernel`."""
    owner, _, kernel = name.partition("/")
    found = f'"{name}"'
    if not re.fullmatch(_OWNER, owner) or not re.fullmatch(_KERNEL, kernel):
        want = (
            "OWNER/KERNEL, as in me/fast-relu. The kernel has two or more small letters, digits\n"
            "and dashes; it begins with a letter and ends with a letter or a digit"
        )
        problem = Problem("--name", found, want, "choose another name; it is the Hub's, too")
        raise UsageError(f"the kernel cannot be called {found}", [problem])
    if kernel.replace("-", "_") in _TAKEN:
        want = "a name that is no module which kernels use: " + ", ".join(_TAKEN)
        raise UsageError(
            f"the kernel cannot be called {found}",
            [Problem("--name", found, want, "choose another one")],
        )
    return owner, kernel


def choose_backends(template: str, asked: Sequence[str]) -> tuple[str, ...]:
    """Return the backends to write; `all` stands for those of the template."""
    known = BACKENDS[template]
    if "all" in asked:
        return known
    if problems := find_unknown("--backends", asked, (*known, "all")):
        raise UsageError(f"the template {template} has no such backend", problems)
    return tuple(backend for backend in known if backend in asked)


def render(start: Start) -> dict[str, str]:
    """Return the files of the new kernel, by their names in its folder."""
    root = FOLDER / start.template
    components = read((root / "build.toml").read_text(encoding="utf-8")).get("kernel", {})
    gone = {name for name, each in components.items() if each["backend"] not in start.backends}
    left_out = _folders(components, gone) - _folders(components, set(components) - gone)
    files = {}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.is_dir() or "__pycache__" in name or name.split("/")[0] in left_out:
            continue
        text = path.read_text(encoding="utf-8")
        if name == "build.toml":
            text = rewrite(text, [{"action": "drop", "path": ["kernel", each]} for each in gone])
        files[_rename(name, start)] = _rename(text, start)
    if start.source:
        files["build.toml"] = files["build.toml"].replace("\n# source = ", "\nsource = ")
    # The Hub's name has dashes; all other places have the module's name.
    stated = {"name": start.name, "license": start.license, "backends": list(start.backends)}
    stated |= {"source": start.source} if start.source else {}
    sets = [{"action": "set", "path": ["general", key], "value": stated[key]} for key in stated]
    files["build.toml"] = rewrite(files["build.toml"], sets)
    return files


def _folders(components: Mapping[str, Any], names: Set[str]) -> set[str]:
    """Return the folders whose files some components name."""
    return {source.split("/")[0] for name in names for source in components[name]["src"]}


def write(files: Mapping[str, str], folder: Path, *, overwrite: bool) -> None:
    """Write the files; refuse to replace any unless told to."""
    if folder.exists() and not folder.is_dir():
        problem = Problem(str(folder), "a file", "a folder, or nothing", "give another PATH")
        raise KernelBuilderError(f"{folder} is a file", [problem])
    existing = [name for name in files if find_below(folder, name).exists()]
    if existing and not overwrite:
        problem = Problem(
            at=str(folder),
            found="files of the same names: " + ", ".join(existing),
            want="a folder without them",
            fix="give another PATH, or --overwrite to replace them",
        )
        raise KernelBuilderError(f"the kernel would replace {len(existing)} files", [problem])
    for name, text in files.items():
        write_below(folder, name, text.encode())


def _rename(text: str, start: Start) -> str:
    on_github = re.match(r"github:([^/?]+/[^/?]+)", start.address)
    names = {
        REPOSITORY: f"{start.owner}/{start.name}",
        PLACEHOLDER: start.address,
        # The kernel's workflow calls one of this project, which only GitHub can provide.
        ON_GITHUB: on_github[1] if on_github else ON_GITHUB,
        PIN: PIN.replace("COMMIT", start.commit or "COMMIT"),
        NAME: start.python_name,
    }
    # Replace all at once, because new names can contain old ones.
    return re.sub("|".join(names), lambda found: names[found[0]], text)
