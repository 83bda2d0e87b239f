"""Drafts a kernel's folder from a project: build.toml, bindings, Python files and PORTING.md."""

import json
import posixpath
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, Final

from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.names import show
from kernel_builder.messages.terminal import say
from kernel_builder.nix.systems import read_table
from kernel_builder.porting import build_toml
from kernel_builder.porting.bindings import END, HEADER, MAIN, REGISTRATION, Converter
from kernel_builder.porting.lost import FILE
from kernel_builder.porting.packages import OTHERS, Layout, find_packages, list_texts
from kernel_builder.porting.project import CODE, SOURCE, Project, open_project
from kernel_builder.porting.python_files import Names, PythonFile, find_spaces
from kernel_builder.porting.recording import Extension, Run, record_project
from kernel_builder.porting.registrations import read_bindings
from kernel_builder.porting.selection import choose_extensions

HEADER_OR_CODE: Final = re.compile(
    r"\.(h|hh|hpp|hxx|cuh|inl|inc|md|rst)$|\.(" + "|".join(name[1:] for name in CODE) + ")$"
)
# A version that a project states: setuptools says 0.0.0 if nothing else does.
_VERSION: Final = re.compile(r"(?!0\.0\.0\Z)\d[\w.+!]*\Z")
# Files of the template that name none of its functions.
KEPT: Final = (".envrc", ".git", ".vscode/", "AGENTS.md", "flake.nix", "PUBLISHING.md")
# Things that are printed, and how much of each; PORTING.md has all.
SHOWN: Final = 20
WIDTH: Final = 200
PORTING: Final = """# How this kernel was drafted

`kernel-builder init --from` ran the project's own build description in the sandbox, and wrote what
that asked for. Files and lines are the project's.

## Left to you

{left}

## Changed

{changed}

## Not in the kernel

{absent}

## Next

Run `kernel-builder check-config`, then `kernel-builder build`. Delete a line of `porting.json` when
you have done what it says: `check-config` warns of those that are there.
"""


def draft_kernel(
    root: Path, options: Mapping[str, Sequence[str]], files: Mapping[str, str], module: str,
    backends: Iterable[str], folder: Path,
) -> tuple[dict[str, str], list[str]]:  # fmt: skip
    """Return the files of the kernel that a project becomes, and its backends.

    `options` has words and variables (NAME=VALUE) for the project's build description. `files` are
    those of the template, for a Python package `module`. `backends` are those to draft, all of the
    project's if there are none. Raises KernelBuilderError if there is no such project, or if
    `folder`, for the kernel, is a part of it.
    """
    place = root.resolve()
    if folder.is_relative_to(place) or place.is_relative_to(folder):
        found, want = f"a part of {show(place)}, or around it", "a folder beside it"
        problem = Problem(show(folder), found, want, "give another PATH")
        raise KernelBuilderError("the project itself is not changed", [problem])
    project = open_project(root)
    if not any(name.endswith(CODE) for name in project.files):
        fix = "name the folder that has its sources; fetch submodules"
        problem = Problem(show(root), "no file of C++, CUDA or Python", "a project", fix)
        raise KernelBuilderError("there is no project to read", [problem])
    variables = dict(each.partition("=")[::2] for each in options["variables"])
    runs = record_project(project, options["arguments"], variables)
    extensions = choose_extensions(project, runs, {*backends})
    return _draft(project, runs, extensions, files, module, sorted({*backends}))


def _draft(
    project: Project, runs: Sequence[Run], extensions: Mapping[str, Sequence[Extension]],
    files: Mapping[str, str], module: str, wanted: Sequence[str],
) -> tuple[dict[str, str], list[str]]:  # fmt: skip
    components = build_toml.make_components(project, extensions)
    chosen = list(dict.fromkeys(each.backend for each in components))
    sources = list(dict.fromkeys(source for each in components for source in each.sources))
    include = list(dict.fromkeys(name for each in components for name in each.keys["include"]))
    units = project.find_includes(sources, include)
    # A folder of which no file is copied would be missing.
    copied = {".", *(str(each) for name in units for each in PurePosixPath(name).parents)}
    for each in components:
        each.keys["include"] = [name for name in each.keys["include"] if name in copied]
    # CUDA's build has the functions for the CPU, too.
    first = next((each for each in ("cuda", *chosen) if each in chosen), "")
    known = read_bindings(project, first, extensions.get(first, []))
    names = [each.name for given in extensions.values() for each in given]
    bindings = Converter(project, known, chosen, names)
    bindings.convert(units)
    drafted = dict(bindings.texts)
    types = Path(__file__).with_name(HEADER).read_text(encoding="utf-8")
    headers = (posixpath.join(posixpath.dirname(name), HEADER) for name in bindings.converted)
    drafted |= dict.fromkeys(headers, types)
    drafted |= {name: text for name, text in files.items() if name.startswith(KEPT)}
    layout = find_packages(project, runs, module, names)
    words = _make_names(project, runs, layout, names, bindings)
    drafted |= _draft_python(project, layout, words, bindings, module)
    sections = ["[torch-noarch]\n"]
    compiled = [name for name in project.files if SOURCE.search(name)]
    if compiled and not components:
        folders = ", ".join(dict.fromkeys(posixpath.dirname(name) or "." for name in compiled))
        what = f"no extension was recorded, and {len(compiled)} sources are in {folders}"
        project.leave(runs[0].file if runs else "setup.py", 0, what, is_lost=True)
    if components:
        # Its source is for all backends: Python loads the extension by it.
        drafted[MAIN] = f"#include <torch/library.h>\n\n{REGISTRATION}{END}"
        cuda = extensions.get("cuda", [])
        asks = any(run.names["queries"] for run in runs if run.backend == "cuda")
        targets = build_toml.find_capabilities(project, cuda, asks=asks)
        sections = build_toml.draft_sections(module, components, MAIN, targets)
    terms = [each for run in runs for each in list_texts(run.setup.get("license"))]
    chosen = chosen or list(wanted) or ["cuda"]
    license_ = build_toml.find_license(project, terms)
    table = _read_depends().items()
    depends = sorted(name for name, each in table if each["import"] in words.imported)
    head = build_toml.draft_head(files["build.toml"], chosen, license_, depends)
    drafted["build.toml"] = "\n".join([head, *sections])
    for name in project.files:
        if re.match(r"(?i)(licen[cs]e|copying|notice)[^/]*$", name):
            drafted[name] = project.read(name)
    drafted["CARD.md"] = re.sub(r"print\(kernel\..*\n", "", files["CARD.md"])
    _report(project, drafted, {*units, *layout.files, *(name for name in drafted)}, runs)
    return drafted, chosen


def _make_names(
    project: Project, runs: Sequence[Run], layout: Layout, modules: Collection[str],
    bindings: Converter,
) -> Names:  # fmt: skip
    """Return the names that Python files of a project use; `modules` are its extensions."""
    # An extension `_C` of the package may be imported as `from . import _C`.
    main = next((name for name, place in layout.tops.items() if not place), "").strip(".")
    inner = {f"{main}.{name}".strip(".") for name in modules if "." not in name}
    given = {str(run.setup.get("name")): str(run.setup.get("version")) for run in runs}
    versions = {
        re.sub("[-.]", "_", key): each for key, each in given.items() if _VERSION.match(each)
    }
    table = read_table("config/python-names.json")
    known = {*table["provided"], *table["assumed"], "__future__"}
    more = [*table["modules"], *(each["import"] for each in _read_depends().values())]
    known |= {name.replace("-", "_") for name in more}
    extensions, spaces = {*modules, *inner}, find_spaces(project, layout)
    return Names(extensions, bindings.operators, bindings.spaces, spaces, versions, known)


def _read_depends() -> Mapping[str, Any]:
    """Return the names that `python-depends` may list."""
    depends: Mapping[str, Any] = read_table("config/dependencies.json")["python-depends"]
    return depends


def _draft_python(
    project: Project, layout: Layout, known: Names, bindings: Converter, module: str
) -> dict[str, str]:
    drafted = {}
    for name, place in layout.files.items():
        if place.startswith("_ops."):
            what = f"the build writes {place}: name this file anew, and its imports"
            project.leave(name, 0, what, is_lost=True)
        file = PythonFile(project, name, place, layout, known)
        text = file.rewrite() if name.endswith((".py", ".pyi")) else project.read(name)
        drafted[f"torch-ext/{module}/{place}"] = text
    init = f"torch-ext/{module}/__init__.py"
    if init not in drafted:
        text = "".join(f"{name} = ops.{name}\n" for name in bindings.operators)
        drafted[init] = f"from ._ops import ops\n\n{text}" if text else ""
        what = "the project has no package of this name: this one has the operators as functions"
        project.change(init, 0, what)
    return drafted


def _report(
    project: Project, drafted: dict[str, str], used: Collection[str], runs: Sequence[Run]
) -> None:
    """Add PORTING.md and porting.json, and print what is left."""
    skipped = {run.file for run in runs}
    absent: Counter[tuple[str, str]] = Counter()
    packages = {posixpath.dirname(name) for name in used if name.endswith(".py")} - {""}
    for name in project.files:
        folder = posixpath.dirname(name)
        is_inside = not packages.isdisjoint(map(str, PurePosixPath(name).parents))
        if is_inside and name not in used and not HEADER_OR_CODE.search(name):
            absent[folder, "data beside its Python files: copy what it needs"] += 1
        if name.endswith(CODE) and name not in used and name not in skipped:
            is_python = name.endswith((".py", ".pyi"))
            why = "in no package of `setup`" if is_python else "no extension compiles it"
            why = "tests, tools and examples" if OTHERS.search(f"{folder}/") else why
            absent[folder or ".", why] += 1
    for run in (each for each in runs if each.given == "skipped"):
        project.leave(run.file, 0, "it was not run: draft what it compiles from its own folder")
    for run in (each for each in runs if each.given == "nothing"):
        for each in run.unused:
            what = f"the extension {each.name} is made, and not given to setup()"
            project.leave(each.file, each.line, what)
        for key in ("entry_points", "scripts"):
            if run.setup.get(key):
                project.change(run.file, 0, f"setup() has {key}: a kernel has no programs")
        for name in run.names["missing"]:
            what = f"the module {name} is not in the sandbox: a stand-in answered"
            project.change(run.file, 0, what)
        for name in run.names["options"] + run.names["variables"]:
            project.change(run.file, 0, f"it reads {name}: give it by --from-option or --from-env")
    lines = [f"- `{place}`: {count} files: {why}" for (place, why), count in sorted(absent.items())]
    left, changed = _list(project.left), _list(project.changed)
    absence = "\n".join(lines) or "Nothing."
    drafted["PORTING.md"] = PORTING.format(left=left, changed=changed, absent=absence)
    named = {text: places for text, places in project.left.items() if text in project.lost}
    lost = [{"at": ", ".join(places), "found": text} for text, places in named.items()]
    items = ",\n".join(f"  {json.dumps(each, ensure_ascii=False)}" for each in lost)
    if lost:
        drafted[FILE] = f"[\n{items}\n]\n"
    for text, (at, *more) in [*project.left.items()][:SHOWN]:
        places = f"{at}{f' and {len(more)} more' * bool(more)}"
        say(f"left to you: {places}: {text if len(text) < WIDTH else f'{text[:WIDTH]} …'}")
    count = f"{len(project.changed)} changes, and {len(project.left)} things"
    folders = f"; {sum(absent.values())} files are not in the kernel" if absent else ""
    say(f"PORTING.md lists {count} that are left to you{folders}")


def _list(notes: Mapping[str, Iterable[str]]) -> str:
    lines = [f"- {text}: `{'`, `'.join(places)}`" for text, places in notes.items()]
    return "\n".join(lines) or "Nothing."
