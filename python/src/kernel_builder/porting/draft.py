"""Drafts a kernel's folder from a project: build.toml, bindings, Python files and PORTING.md."""

import json
import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.names import show
from kernel_builder.messages.terminal import say
from kernel_builder.porting.bindings import END, REGISTRATION, Bindings, convert
from kernel_builder.porting.build_files import read_extensions
from kernel_builder.porting.cpp import parse
from kernel_builder.porting.project import SOURCE, Note, Project, open_project
from kernel_builder.porting.python_files import PythonFile, find_package
from kernel_builder.porting.setup_py import Extension, Word

ORDER: Final = ("cpu", "cuda", "metal", "rocm", "xpu")
# Files of the template that name none of its functions.
KEPT: Final = (".envrc", ".git", ".vscode/", "AGENTS.md", "flake.nix")
MAIN: Final = "torch-ext/torch_binding.cpp"
CPLUSPLUS: Final = (".cpp", ".cc", ".cxx")
_ENDINGS: Final = {".cu": "cuda", ".hip": "rocm", ".mm": "metal", ".sycl": "xpu"}
# The key of build.toml for the flags of each compiler, which setup.py calls so.
_COMPILERS: Final = {
    "cuda": ("cuda-flags", "nvcc"),
    "rocm": ("hip-flags", "nvcc"),
    "xpu": ("sycl-flags", "sycl"),
}
_LICENSES: Final = {
    "MIT License": "mit",
    "Permission is hereby granted, free of charge": "mit",
    "Apache License": "apache-2.0",
    "Redistribution and use": "bsd-3-clause",
}
PORTING: Final = """# How this kernel was drafted

`kernel-builder init --from` wrote it from a project, and ran nothing of it. Files and lines are the
project's.
"""
NEXT: Final = """## Next

Run `kernel-builder check-config`, then `kernel-builder build`. Tests, benchmarks and examples were
not copied: port them, and mark fast tests with `@pytest.mark.kernels_ci`.
"""
# Patterns of flags that a build.toml does not have, with the reason.
_DROPPED: Final[Mapping[str, str]] = json.loads(
    Path(__file__).with_name("flags.json").read_text(encoding="utf-8")
)


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
        fix = "give another PATH"
        problem = Problem(
            show(folder), f"a part of {show(place)}, or around it", "a folder beside it", fix
        )
        raise KernelBuilderError("the project itself is not changed", [problem])
    project = open_project(root)
    extensions, setup = read_extensions(project)
    where = find_sources(project, extensions, {*backends})
    chosen = [each for each in ORDER if any(each in place for place in where.values())]
    include = _find_include(project, extensions)
    copied = project.find_includes(where, [*include, "csrc"])
    units = {name: parse(project, name) for name in copied}
    bindings = convert(project, units, chosen) if where else Bindings()
    drafted = {name: unit.write() for name, unit in units.items()}
    drafted |= {name: text for name, text in files.items() if name.startswith(KEPT)}
    drafted |= _draft_python(project, setup, extensions, bindings, module)
    head = _draft_head(project, files["build.toml"])
    if where:
        main = _choose_main(drafted, where, bindings, chosen)
        _add_macros(project, drafted, extensions, main, chosen)
        sections = _draft_sections(project, module, where, include, extensions, main)
        drafted["build.toml"] = "\n".join([head, *sections])
    else:
        drafted["build.toml"] = f"{head}\n[torch-noarch]\n"
    for name in project.files:
        if re.match(r"(?i)(licen[cs]e|copying|notice)[^/]*$", name):
            drafted[name] = project.read(name)
    drafted["CARD.md"] = re.sub(r"print\(kernel\..*\n", "", files["CARD.md"])
    drafted["PORTING.md"] = write_notes([*project.notes])
    left = [each for each in project.notes if each.is_left]
    for each in left:
        say(f"left to you: {_clean(_at(each))}: {_clean(each.text)}")
    count = f"{len(project.notes) - len(left)} changes"
    say(f"PORTING.md lists {count}, and {len(left)} things that are left to you")
    chosen = chosen or sorted({*backends}) or ["cuda"]
    return drafted | {"build.toml": _set_backends(drafted["build.toml"], chosen)}, chosen


def find_sources(
    project: Project, extensions: Sequence[Extension], backends: set[str]
) -> dict[str, set[str]]:
    """Return the backends of each source; `backends` limits them, with ROCm where CUDA is."""
    where: dict[str, set[str]] = {}
    for extension in extensions:
        for source in extension.sources:
            name = posixpath.normpath(source)
            if name not in project.files or not SOURCE.search(name):
                line = source.line or extension.line
                project.leave(
                    "setup.py", line, f"the source {name} is no file of C++ or CUDA in the project"
                )
                continue
            backend = _ENDINGS.get(posixpath.splitext(name)[1])
            if backend == "cuda" and source.backends == {"rocm"}:
                backend = "rocm"
            place = {backend} if backend else {*(source.backends or extension.backends)}
            where.setdefault(name, set()).update(place)
    if "rocm" in backends and not any("rocm" in place for place in where.values()):
        where = {
            name: place | ({"rocm"} if "cuda" in place else set()) for name, place in where.items()
        }
    limit = backends or {*ORDER}
    return {name: place & limit for name, place in where.items() if place & limit}


def _find_include(project: Project, extensions: Sequence[Extension]) -> list[str]:
    modules = re.findall(r"^\s*path\s*=\s*(\S+)", project.read(".gitmodules"), re.MULTILINE)
    found: dict[str, None] = {}
    for each in extensions:
        flags = [word for words in each.flags.values() for word in words if word.startswith("-I")]
        for folder in [*each.include, *(Word(flag[2:], flag.line) for flag in flags if flag[2:])]:
            name = posixpath.normpath(folder)
            if name == "." or any(file.startswith(f"{name}/") for file in project.files):
                found[name] = None
                continue
            module = next((module for module in modules if name.startswith(module)), None)
            what = f"the include folder {name} is no folder of the project"
            if module:
                what = f"the submodule {module} is empty: fetch it, and run this again"
            project.leave("setup.py", folder.line or each.line, what)
    return list(found)


def _draft_python(
    project: Project,
    setup: Mapping[str, Any],
    extensions: Sequence[Extension],
    bindings: Bindings,
    module: str,
) -> dict[str, str]:
    packages = setup.get("packages")
    names = [setup.get("name"), *(packages if isinstance(packages, list) else [])]
    package = find_package(project, [each for each in names if isinstance(each, str)])
    modules = {name for each in extensions for name in each.names}
    # An extension `_C` of the package may be imported as `from . import _C`.
    modules |= {f"{posixpath.basename(package)}.{name}" for name in modules if "." not in name}
    drafted = {}
    for name in project.files:
        if package and name.startswith(f"{package}/") and name.endswith((".py", ".pyi")):
            text = PythonFile(project, name, package, modules, bindings.spaces).rewrite()
            drafted[f"torch-ext/{module}/{posixpath.relpath(name, package)}"] = text
    if not drafted:
        lines = [f"{name} = ops.{name}" for name in bindings.operators]
        text = "\n".join(
            [
                "from ._ops import ops",
                "",
                *lines,
                "",
                f"__all__ = {json.dumps(bindings.operators)}",
                "",
            ]
        )
        drafted[f"torch-ext/{module}/__init__.py"] = text
        what = "the project has no Python package: this one has the operators as functions"
        project.leave(f"torch-ext/{module}/__init__.py", 0, what)
    elif bindings.operators and not any("_ops import" in text for text in drafted.values()):
        project.leave(
            f"{package}/__init__.py", 0, "no Python file imports the extension: import ._ops"
        )
    return drafted


def _draft_head(project: Project, text: str) -> str:
    """Return the [general] of the template's build.toml, with the project's license."""
    head = re.split(r"\n(?:#[^\n]*\n)*\[torch", text)[0].rstrip("\n") + "\n"
    for name in project.files:
        if re.match(r"(?i)licen[cs]e[^/]*$", name):
            start = project.read(name)[:2000]
            found = next((known for words, known in _LICENSES.items() if words in start), None)
            if found:
                return re.sub(r"(?m)^license = .*", f'license = "{found}"', head)
            project.leave(
                name, 1, "this license is none that is known here: write it into build.toml"
            )
    return head


def _set_backends(text: str, backends: Sequence[str]) -> str:
    return re.sub(r"(?m)^backends = .*", f"backends = {json.dumps(backends)}", text, count=1)


def select_flags(
    project: Project, extensions: Sequence[Extension], compiler: str, backend: str
) -> list[str]:
    """Return the flags of a compiler for a backend; notes have those that build.toml need not."""
    found: dict[str, None] = {}
    for each in extensions:
        for word in each.flags.get(compiler, []) if each.is_for(backend) else ():
            if word.backends and backend not in word.backends:
                continue
            reasons = (reason for known, reason in _DROPPED.items() if re.fullmatch(known, word))
            if not (reason := next(reasons, None)):
                found[str(word)] = None
            else:
                project.change("setup.py", word.line or each.line, f"{word} is gone: {reason}")
    return list(found)


def _choose_main(
    drafted: dict[str, str],
    where: Mapping[str, set[str]],
    bindings: Bindings,
    chosen: Sequence[str],
) -> str:
    """Return the source of [torch], which Python loads: the binding, or a new file."""
    main = bindings.files[0] if len(bindings.files) == 1 else MAIN
    if not main.endswith(CPLUSPLUS) or where.get(main) != {*chosen}:
        main = MAIN
    head = drafted.get(main, f"#include <torch/library.h>\n\n{REGISTRATION}")
    drafted[main] = head.rstrip("\n") + "\n" + END
    return main


def _add_macros(
    project: Project, drafted: dict[str, str], extensions: Sequence[Extension], main: str,
    chosen: Sequence[str],
) -> None:  # fmt: skip
    """Define the macros of some backends in the binding, which is compiled for each of them."""
    macros: dict[str, list[str]] = {}
    for backend in chosen:
        for flag in select_flags(project, extensions, "cxx", backend):
            if flag.startswith("-D"):
                macros.setdefault(flag[2:].replace("=", " ", 1), []).append(backend)
    lines = []
    for macro, backends in macros.items():
        if len(backends) < len(chosen):
            test = " || ".join(f"defined({backend.upper()}_KERNEL)" for backend in backends)
            lines += [f"#if {test}", f"#define {macro}", "#endif", ""]
    if lines and main != MAIN:
        drafted[main] = "\n".join([*lines, drafted[main]])
        what = "macros of some backends are defined here: it is compiled for all"
        project.change(main, 1, what)


def find_capabilities(extensions: Iterable[Extension]) -> list[str]:
    """Return the CUDA capabilities that flags name, as 9.0a."""
    text = " ".join(flag for each in extensions for flag in each.flags.get("nvcc", []))
    found = {(int(major), minor) for major, minor in re.findall(r"sm_(\d+)(\d[af]?)\b", text)}
    return [f"{major}.{minor}" for major, minor in sorted(found)]


def _draft_sections(
    project: Project, module: str, where: Mapping[str, set[str]], include: Sequence[str],
    extensions: Sequence[Extension], main: str,
) -> list[str]:  # fmt: skip
    """Return [torch] and a section for each backend."""
    chosen = [each for each in ORDER if any(each in place for place in where.values())]
    flags = select_flags(project, extensions, "cxx", chosen[0]) if len(chosen) == 1 else []
    sections = [_write_section("torch", {"src": [main], "include": include, "cxx-flags": flags})]
    for backend in chosen:
        sources = [name for name, place in where.items() if backend in place and name != main]
        # A backend has a component of its own, if only with the binding.
        sources = sources or [main]
        keys: dict[str, Any] = {"backend": backend, "depends": ["torch"], "include": include}
        if any(name.endswith(CPLUSPLUS) for name in sources):
            keys["cxx-flags"] = select_flags(project, extensions, "cxx", backend)
        if backend in _COMPILERS:
            key, compiler = _COMPILERS[backend]
            keys[key] = select_flags(project, extensions, compiler, backend)
        capabilities = find_capabilities(extensions) if backend == "cuda" else []
        if capabilities:
            is_newer = float(capabilities[0].rstrip("af")) >= 8
            where_to = "in" if is_newer else "not in"
            what = f"its targets {', '.join(capabilities)} are {where_to} cuda-capabilities: "
            why = "add newer ones" if is_newer else "the default has newer ones, too"
            keys |= {"cuda-capabilities": capabilities} if is_newer else {}
            project.change("setup.py", 0, what + why)
        sections.append(_write_section(f"kernel.{module}_{backend}", {**keys, "src": sources}))
    return sections


def _write_section(name: str, keys: Mapping[str, Any]) -> str:
    lines = [f"[{name}]"]
    for key, value in keys.items():
        text = json.dumps(value, ensure_ascii=False)
        if isinstance(value, list) and len(text) > 80:
            items = "".join(f"  {json.dumps(each, ensure_ascii=False)},\n" for each in value)
            text = f"[\n{items}]"
        lines += [f"{key} = {text}"] if value else []
    return "\n".join(lines) + "\n"


def write_notes(notes: Sequence[Note]) -> str:
    """Return the text of PORTING.md."""
    parts = [PORTING]
    for title, is_left in (("Left to you", True), ("Changed", False)):
        chosen = [each for each in notes if each.is_left == is_left]
        lines = [f"- `{_clean(_at(each))}`: {_clean(each.text)}" for each in chosen]
        parts.append("\n".join([f"## {title}", "", *(lines or ["Nothing."]), ""]))
    parts.append(NEXT)
    return "\n".join(parts)


def _at(note: Note) -> str:
    return f"{note.file}:{note.line}" if note.line else note.file


def _clean(text: str) -> str:
    """Return a text of a stranger as one line without control characters."""
    return "".join(each if each.isprintable() else "?" for each in text)
