"""Write a new kernel from a template, with another name and fewer backends.

The templates in `templates/` are kernels themselves, for every backend that they know.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import tomli

from kernel_builder.kernel.builder import PLACEHOLDER
from kernel_builder.machine.files import find_below, write_below
from kernel_builder.messages.errors import KernelBuilderError, Problem, UsageError, find_unknown

FOLDER: Final = Path(__file__).resolve().parents[1] / "templates"
BACKENDS: Final[Mapping[str, tuple[str, ...]]] = {
    file.parent.name: tuple(tomli.loads(file.read_text(encoding="utf-8"))["general"]["backends"])
    for file in sorted(FOLDER.glob("*/build.toml"))
}
# Names in the templates: the kernel, its repository, and this project.
NAME: Final = "mykernel"
REPOSITORY: Final = "myorg/mykernel"
ON_GITHUB: Final = PLACEHOLDER.removeprefix("github:")
# Part of the address of the workflow that gets the token.
PIN: Final = "build-kernel.yml@COMMIT"
LICENSE: Final = "apache-2.0"

_NAME: Final = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)/([a-z][-a-z0-9]{0,94}[a-z0-9])")
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


def read_name(name: str) -> tuple[str, str]:
    """Return owner and kernel of `owner/kernel`."""
    found = _NAME.fullmatch(name)
    if found and found[2].replace("-", "_") not in _TAKEN:
        return found[1], found[2]
    want = (
        "OWNER/KERNEL, as in me/fast-relu. The kernel has two or more small letters, digits\n"
        "and dashes; it begins with a letter and ends with a letter or a digit.\n"
        f"It is no module which kernels use: {', '.join(_TAKEN)}"
    )
    problem = Problem("--name", f'"{name}"', want, "choose another name; it is the Hub's, too")
    raise UsageError(f'the kernel cannot be called "{name}"', [problem])


def choose_backends(template: str, asked: Sequence[str]) -> tuple[str, ...]:
    """Return the backends to write; `all` stands for those of the template."""
    known = BACKENDS[template]
    if problems := find_unknown("--backends", asked, (*known, "all")):
        raise UsageError(f"the template {template} has no such backend", problems)
    return known if "all" in asked else tuple(each for each in known if each in asked)


def render_template(start: Start) -> dict[str, str]:
    """Return the files of the new kernel, by their names in its folder."""
    root = FOLDER / start.template
    build = (root / "build.toml").read_text(encoding="utf-8")
    components = tomli.loads(build).get("kernel", {})
    gone = {name for name, each in components.items() if each["backend"] not in start.backends}
    left_out = _list_folders(components, gone) - _list_folders(components, set(components) - gone)
    files = {}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.is_dir() or "__pycache__" in name or name.split("/")[0] in left_out:
            continue
        text = _leave_out(build, gone) if name == "build.toml" else path.read_text("utf-8")
        files[_rename(name, start)] = _rename(text, start)
    # The Hub's name has dashes; all other places have the module's name.
    values = {"name": start.name, "license": start.license, "backends": start.backends}
    for key, value in {**values, "source": start.source}.items():
        if value:
            files["build.toml"] = _set_value(files["build.toml"], key, value)
    return files


def _leave_out(text: str, components: Set[str]) -> str:
    """Return build.toml without sections, each of which is a paragraph with its comments."""
    heads = [f"[kernel.{name}]" for name in components]
    kept = [each for each in text.split("\n\n") if not any(head in each for head in heads)]
    return "\n\n".join(kept).rstrip("\n") + "\n"


def _set_value(text: str, key: str, value: object) -> str:
    """Return build.toml with a value of its first such key, which may be commented out."""
    head, line, rest = re.split(rf"^(?:# )?({key} = ).*$", text, maxsplit=1, flags=re.MULTILINE)
    return f"{head}{line}{json.dumps(value, ensure_ascii=False)}{rest}"


def _list_folders(components: Mapping[str, Any], names: Set[str]) -> set[str]:
    """Return the folders with the sources of some components."""
    return {source.split("/")[0] for name in names for source in components[name]["src"]}


def write_kernel(files: Mapping[str, str], folder: Path, *, overwrite: bool) -> None:
    """Write the files; refuse to replace any unless told to."""
    existing = [name for name in files if find_below(folder, name).exists()]
    if existing and not overwrite:
        found = "files of the same names: " + ", ".join(existing)
        fix = "give another PATH, or --overwrite to replace them"
        problem = Problem(str(folder), found, "a folder without them", fix)
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
        NAME: start.name.replace("-", "_"),
    }
    # Replace all at once, because new names can contain old ones.
    return re.sub("|".join(names), lambda found: names[found[0]], text)
