"""Drafts a kernel's folder from a project: build.toml, bindings, Python files and PORTING.md."""

import posixpath
import re
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.names import show
from kernel_builder.messages.terminal import say
from kernel_builder.porting import build_toml
from kernel_builder.porting.bindings import END, REGISTRATION, Converter
from kernel_builder.porting.build_files import read_extensions
from kernel_builder.porting.cpp import parse
from kernel_builder.porting.project import Project, apply_edits, open_project
from kernel_builder.porting.python_files import PythonFile, find_package

# Files of the template that name none of its functions.
KEPT: Final = (".envrc", ".git", ".vscode/", "AGENTS.md", "flake.nix")
MAIN: Final = "torch-ext/torch_binding.cpp"
PORTING: Final = """# How this kernel was drafted

`kernel-builder init --from` wrote it from a project, and ran nothing of it. Files and lines are the
project's.

## Left to you

{left}

## Changed

{changed}

## Next

Run `kernel-builder check-config`, then `kernel-builder build`. Tests, benchmarks and examples were
not copied: port them, and mark fast tests with `@pytest.mark.kernels_ci`.
"""


def draft_kernel(
    root: Path, files: Mapping[str, str], module: str, backends: Iterable[str], folder: Path
) -> tuple[dict[str, str], list[str]]:
    """Return the files of the kernel that a project becomes, and its backends.

    `files` are those of the template, for a Python package `module`. `backends` are those to draft,
    all of the project's if there are none. Raises KernelBuilderError if there is no such project,
    or if `folder`, for the kernel, is a part of it.
    """
    place = root.resolve()
    if folder.is_relative_to(place) or place.is_relative_to(folder):
        found, want = f"a part of {show(place)}, or around it", "a folder beside it"
        problem = Problem(show(folder), found, want, "give another PATH")
        raise KernelBuilderError("the project itself is not changed", [problem])
    project = open_project(root)
    extensions, names, setup = read_extensions(project, {*backends})
    where = build_toml.find_sources(project, extensions)
    include = build_toml.find_include(project, extensions.values())
    units = {name: parse(project, name) for name in project.find_includes(where, include)}
    bindings = Converter(units, [*extensions])
    bindings.convert()
    drafted = {name: apply_edits(each.data, each.edits) for name, each in units.items()}
    drafted |= {name: text for name, text in files.items() if name.startswith(KEPT)}
    drafted |= _draft_python(project, setup, names, bindings, module)
    chosen = [*extensions] or sorted({*backends}) or ["cuda"]
    sections = ["[torch-noarch]\n"]
    if where:
        main = bindings.files[0] if len(bindings.files) == 1 else MAIN
        # The source of [torch], which Python loads, is for all backends: the binding or a new file.
        if not main.endswith(build_toml.CPLUSPLUS) or where.get(main) != chosen:
            main = MAIN
        macros = build_toml.write_macros(project, extensions) if main != MAIN else ""
        if macros:
            project.change(main, 1, "macros of some backends are defined here: it is for all")
        head = drafted.get(main, f"#include <torch/library.h>\n\n{REGISTRATION}")
        drafted[main] = macros + head.rstrip("\n") + "\n" + END
        sections = build_toml.draft_sections(project, module, extensions, where, include, main)
    head = build_toml.draft_head(project, files["build.toml"], chosen)
    drafted["build.toml"] = "\n".join([head, *sections])
    for name in project.files:
        if re.match(r"(?i)(licen[cs]e|copying|notice)[^/]*$", name):
            drafted[name] = project.read(name)
    drafted["CARD.md"] = re.sub(r"print\(kernel\..*\n", "", files["CARD.md"])
    drafted["PORTING.md"] = PORTING.format(left=_list(project.left), changed=_list(project.changed))
    for text, (at, *more) in project.left.items():
        say(f"left to you: {at}{f' and {len(more)} more' * bool(more)}: {text}")
    count = f"{len(project.changed)} changes, and {len(project.left)} things"
    say(f"PORTING.md lists {count} that are left to you")
    return drafted, chosen


def _draft_python(
    project: Project, setup: Mapping[str, Any], names: Collection[str], bindings: Converter,
    module: str,
) -> dict[str, str]:  # fmt: skip
    packages = setup.get("packages")
    known = [setup.get("name"), *(packages if isinstance(packages, list) else [])]
    package = find_package(project, [each for each in known if isinstance(each, str)])
    # An extension `_C` of the package may be imported as `from . import _C`.
    inner = {f"{posixpath.basename(package)}.{name}" for name in names if "." not in name}
    drafted = {}
    for name in project.files:
        if package and name.startswith(f"{package}/") and name.endswith((".py", ".pyi")):
            text = PythonFile(project, name, package, {*names, *inner}, bindings.spaces).rewrite()
            drafted[f"torch-ext/{module}/{posixpath.relpath(name, package)}"] = text
    init = f"torch-ext/{module}/__init__.py"
    if not drafted:
        text = "".join(f"{name} = ops.{name}\n" for name in bindings.operators)
        drafted[init] = f"from ._ops import ops\n\n{text}"
        what = "the project has no Python package: this one has the operators as functions"
        project.change(init, 0, what)
    return drafted


def _list(notes: Mapping[str, Iterable[str]]) -> str:
    lines = [f"- {text}: `{'`, `'.join(places)}`" for text, places in notes.items()]
    return "\n".join(lines) or "Nothing."
