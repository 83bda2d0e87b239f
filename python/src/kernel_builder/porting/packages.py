"""Finds a project's Python packages, and their places in the kernel's package."""

import posixpath
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from kernel_builder.porting.project import Project
from kernel_builder.porting.recording import Run

OTHERS: Final = re.compile(
    r"(tests?|testing|benchmarks?|docs?|examples?|scripts|tools|demos?|\.\w+)(/|$)"
)
_DATA: Final = re.compile(r"\.(pyi?|json|ya?ml|toml|txt|csv|metal)$|(^|/)py\.typed$")


@dataclass
class Layout:
    """The places of a project's Python files in the kernel's package.

    `tops` has the place of each package that the project imports by its name; the kernel's package
    itself is empty. `files` has the places of files.
    """

    tops: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)


def find_packages(
    project: Project, runs: Sequence[Run], module: str, names: Sequence[str]
) -> Layout:
    """Return the layout of the packages that `setup` names, else of those that are there.

    `names` are those of extensions: pkg._C is in the package pkg.
    """
    plain = [run for run in runs if run.given == "nothing" and run.setup]
    run = next((run for run in plain if run.setup.get("packages")), plain[0] if plain else None)
    setup, base = (run.setup, posixpath.dirname(run.file)) if run else ({}, "")
    inner = {name.split(".")[0] for name in names if "." in name}
    wanted = {module, re.sub(r"\W", "_", str(setup.get("name"))), *inner}
    folders = _read_folders(setup.get("package_dir"))
    # setuptools takes pkg/part for pkg.part.
    given = [name.replace("/", ".") for name in list_texts(setup.get("packages"))]
    found = {name: _locate(folders, base, name) for name in given}
    places = {name: place for name, place in found.items() if _has_python(project, place)}
    for name in found.keys() - places.keys():
        # Files of a folder of data that are not in the kernel are listed later.
        if not any(each.startswith(f"{found[name]}/") for each in project.files):
            what = f"the package {name} has no Python files here"
            project.leave(run.file if run else "", 0, what, is_lost=True)
    tops = {name.split(".")[0]: _locate(folders, base, name.split(".")[0]) for name in places}
    tops = {name: place for name, place in tops.items() if not OTHERS.match(f"{name}/")}
    tops = tops or _search(project, posixpath.join(base, folders.get("", "")), wanted)
    layout = Layout()
    loaded = [each.file for run in runs if run.file == "*.py" for each in run.extensions]
    if loaded and not tops:
        # A folder of modules that compile at run time.
        folder = posixpath.dirname(loaded[0]) or "."
        tops, layout.tops = {".": folder}, {posixpath.basename(folder): ""}
    alone = next(iter(tops)) if len(tops) == 1 else None
    main = next((name for name in tops if name in wanted), alone)
    for name, place in sorted(tops.items(), key=lambda each: each[0] != main):
        layout.tops[name] = "" if name == main else name
        _add_files(project, layout, place, layout.tops[name], is_root=name == ".")
    if "." in tops and posixpath.join(tops["."], "__init__.py") not in project.files:
        # Modules that lie beside each other import each other by their names.
        plain_names = [name.split("/")[0].removesuffix(".py") for name in layout.files.values()]
        layout.tops |= {name: name for name in plain_names if name not in layout.tops}
    for name in list_texts(setup.get("py_modules")):
        file = posixpath.normpath(posixpath.join(base, folders.get("", ""), f"{name}.py"))
        if file in project.files:
            layout.tops[name], layout.files[file] = name, f"{name}.py"
    # Parts of a package may lie elsewhere.
    for name, place in places.items():
        top, *rest = name.split(".")
        if top in layout.tops and place not in (tops[top], posixpath.join(tops[top], *rest)):
            _add_files(project, layout, place, posixpath.join(layout.tops[top], *rest))
    return layout


def list_texts(value: Any) -> list[str]:
    """Return the texts of a list, or the one that it is."""
    given = value if isinstance(value, list) else [value]
    return [each for each in given if isinstance(each, str)]


def _read_folders(value: Any) -> dict[str, str]:
    pairs = value.items() if isinstance(value, dict) else ()
    return {name: place for name, place in pairs if isinstance(place, str)}


def _locate(folders: Mapping[str, str], base: str, name: str) -> str:
    """Return the folder of a package, as setuptools finds it by `package_dir`."""
    parts = name.split(".")
    for count in range(len(parts), -1, -1):
        head = ".".join(parts[:count])
        if head in folders or not head:
            return posixpath.normpath(posixpath.join(base, folders.get(head, ""), *parts[count:]))
    return base


def _has_python(project: Project, folder: str) -> bool:
    return any(posixpath.dirname(name) == folder for name in project.files if name.endswith(".py"))


def _search(project: Project, base: str, wanted: "set[str]") -> dict[str, str]:
    """Return the packages below a folder, if `setup` names none."""
    base = "" if base == "." else base
    inits = [name for name in project.files if name.endswith("__init__.py")]
    if posixpath.join(base, "__init__.py") in inits:
        return {".": base or "."}
    found = {}
    for folder in (base, posixpath.join(base, "src"), posixpath.join(base, "python")):
        for name in inits:
            place = posixpath.dirname(name)
            if posixpath.dirname(place) == folder and not OTHERS.match(posixpath.basename(place)):
                found[posixpath.basename(place)] = place
    deep = sorted(map(posixpath.dirname, inits), key=len, reverse=True)
    places = {posixpath.basename(each): each for each in deep if not OTHERS.search(each)} | found
    named = {name: place for name, place in places.items() if name in wanted}
    return named or (found if len(found) == 1 else {})


def _add_files(
    project: Project, layout: Layout, folder: str, place: str, *, is_root: bool = False
) -> None:
    prefix = "" if folder == "." else f"{folder}/"
    for name in project.files:
        rest = name.removeprefix(prefix)
        above = posixpath.dirname(name)
        is_inner = posixpath.join(above, "__init__.py") in project.files
        is_part = not is_root or above == prefix.rstrip("/") or is_inner
        is_setup = is_root and re.fullmatch(r"setup\w*\.py|pyproject\.toml", rest)
        if name.startswith(prefix) and _DATA.search(name) and is_part and not is_setup:
            layout.files[name] = posixpath.join(place, rest)
