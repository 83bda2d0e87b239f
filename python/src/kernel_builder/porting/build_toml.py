"""Writes the build.toml of a drafted kernel."""

import json
import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from kernel_builder.porting.project import SOURCE, Project, Word
from kernel_builder.porting.setup_py import Extension

CPLUSPLUS: Final = (".cpp", ".cc", ".cxx")
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
# Patterns of flags that a build.toml does not have, with the reason.
_DROPPED: Final[Mapping[str, str]] = json.loads(
    Path(__file__).with_name("flags.json").read_text(encoding="utf-8")
)


def find_sources(project: Project, extensions: Mapping[str, Extension]) -> dict[str, list[str]]:
    """Return the backends of each source."""
    where: dict[str, list[str]] = {}
    for backend, extension in extensions.items():
        for source in dict.fromkeys(extension.sources):
            name = posixpath.normpath(source)
            if name in project.files and SOURCE.search(name):
                where.setdefault(name, []).append(backend)
            else:
                what = f"the source {name} is no file of C++ or CUDA in the project"
                project.leave(extension.file, source.line, what)
    return where


def find_include(project: Project, extensions: Iterable[Extension]) -> list[str]:
    """Return the include folders of all extensions, with those of flags."""
    modules = re.findall(r"(?m)^[ \t]*path[ \t]*=[ \t]*(\S+)", project.read(".gitmodules"))
    found: dict[str, None] = {}
    for each in extensions:
        flags = [word for words in each.flags.values() for word in words]
        named = [Word(flag[2:], flag.line) for flag in flags if re.match("-I.", flag)]
        for folder in [*each.include, *named]:
            name = posixpath.normpath(folder)
            if name == "." or any(file.startswith(f"{name}/") for file in project.files):
                found[name] = None
                continue
            module = next((module for module in modules if name.startswith(module)), None)
            is_empty = f"the submodule {module} is empty: fetch it, and run this again"
            what = is_empty if module else f"the include folder {name} is no folder of the project"
            project.leave(each.file, folder.line, what)
    return list(found)


def draft_head(project: Project, text: str, backends: Sequence[str]) -> str:
    """Return the [general] of the template's build.toml, with the project's license."""
    head = re.split(r"\n(?:#[^\n]*\n)*\[torch", text)[0].rstrip("\n") + "\n"
    head = re.sub(r"(?m)^backends = .*", f"backends = {json.dumps(backends)}", head)
    licenses = [name for name in project.files if re.match(r"(?i)licen[cs]e[^/]*$", name)]
    for name in licenses[:1]:
        start = project.read(name)[:2000]
        for words, known in _LICENSES.items():
            if words in start:
                return re.sub(r"(?m)^license = .*", f'license = "{known}"', head)
        project.leave(name, 1, "this license is not known here: write it into build.toml")
    return head


def select_flags(project: Project, extension: Extension, compiler: str) -> list[str]:
    """Return the flags of a compiler; notes have those that build.toml need not."""
    found: dict[str, None] = {}
    for word in extension.flags.get(compiler, []):
        reason = next((why for known, why in _DROPPED.items() if re.fullmatch(known, word)), None)
        if reason:
            project.change(extension.file, word.line, f"{word} is gone: {reason}")
        else:
            found[str(word)] = None
    return list(found)


def write_macros(project: Project, extensions: Mapping[str, Extension]) -> str:
    """Return the code that defines the macros of some backends, for a file that all compile."""
    macros: dict[str, list[str]] = {}
    for backend, extension in extensions.items():
        for flag in select_flags(project, extension, "cxx"):
            if flag.startswith("-D"):
                macros.setdefault(flag[2:].replace("=", " ", 1), []).append(backend)
    text = ""
    for macro, backends in macros.items():
        if len(backends) < len(extensions):
            test = " || ".join(f"defined({backend.upper()}_KERNEL)" for backend in backends)
            text += f"#if {test}\n#define {macro}\n#endif\n\n"
    return text


def _find_capabilities(project: Project, extension: Extension) -> list[str]:
    """Return the CUDA capabilities that flags name, as 9.0a, if none is older than 8.0."""
    text = " ".join(extension.flags.get("nvcc", []))
    named = {(int(major), minor) for major, minor in re.findall(r"sm_(\d+)(\d[af]?)\b", text)}
    if not named:
        return []
    found = [f"{major}.{minor}" for major, minor in sorted(named)]
    is_newer = min(named)[0] >= 8
    where = "in cuda-capabilities: add" if is_newer else "not in cuda-capabilities: the default has"
    project.change(extension.file, 0, f"its targets {', '.join(found)} are {where} newer ones")
    return found if is_newer else []


def draft_sections(
    project: Project, module: str, extensions: Mapping[str, Extension],
    where: Mapping[str, Sequence[str]], include: Sequence[str], main: str,
) -> list[str]:  # fmt: skip
    """Return [torch], with the source `main`, and a section for each backend."""
    keys: dict[str, Any] = {"src": [main], "include": include}
    if len(extensions) == 1:
        keys["cxx-flags"] = select_flags(project, next(iter(extensions.values())), "cxx")
    sections = [_write_section("torch", keys)]
    for backend, extension in extensions.items():
        # Each backend has a component, if only with the binding.
        sources = [name for name in where if backend in where[name] and name != main] or [main]
        keys = {"backend": backend, "depends": ["torch"], "include": include}
        if any(name.endswith(CPLUSPLUS) for name in sources):
            keys["cxx-flags"] = select_flags(project, extension, "cxx")
        if backend in _COMPILERS:
            key, compiler = _COMPILERS[backend]
            keys[key] = select_flags(project, extension, compiler)
        if backend == "cuda":
            keys["cuda-capabilities"] = _find_capabilities(project, extension)
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
