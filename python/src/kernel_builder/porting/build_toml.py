"""Writes the build.toml of a drafted kernel: a component for each set of flags and macros."""

import json
import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from kernel_builder.nix.systems import read_table
from kernel_builder.porting.project import SOURCE, Project
from kernel_builder.porting.recording import Extension

CPLUSPLUS: Final = (".cpp", ".cc", ".cxx", ".c", ".mm")
# The key of build.toml for the flags of each compiler, which setup.py calls so.
_COMPILERS: Final = {
    "cuda": ("cuda-flags", "nvcc"),
    "rocm": ("hip-flags", "nvcc"),
    "xpu": ("sycl-flags", "sycl"),
}
# Flags and libraries that build.toml does not name, with reasons; licenses by their texts.
_TABLE: Final[Mapping[str, Any]] = json.loads(
    Path(__file__).with_name("flags.json").read_text(encoding="utf-8")
)
_NO_TERM: Final = re.compile(
    r"(?i)^license :: (osi approved :: )?|\s*licen[cs]e( agreement)?\b|\(.*\)|\bthe\b|[\"']"
)
_FOLDER: Final = re.compile(r"-(?:I|isystem|iquote|idirafter) ?=?(.+)")
_IN_TWO: Final = {word: sign for sign, words in _TABLE["in_two_words"].items() for word in words}


@dataclass
class Component:
    """Sources that a backend compiles with the same flags; `names` are their extensions."""

    backend: str
    keys: dict[str, list[str]]
    names: list[str] = field(default_factory=list, compare=False)
    sources: list[str] = field(default_factory=list, compare=False)


def make_components(
    project: Project, extensions: Mapping[str, Sequence[Extension]]
) -> list[Component]:
    """Return the components of all backends; notes have the words that they lack."""
    found: list[Component] = []
    for backend, each in extensions.items():
        owners: dict[str, tuple[Component, str]] = {}
        for extension in each:
            component = Component(backend, _make_keys(project, backend, extension))
            component = next((one for one in found if one == component), component)
            for source in dict.fromkeys(extension.sources):
                if source not in project.files or not SOURCE.search(source):
                    what = f"{source} of {extension.name} is no source in the project"
                    is_below = source.startswith("../")
                    what += ": draft from the folder that has all" if is_below else ""
                    project.leave(extension.file, extension.line, what, is_lost=True)
                elif source not in owners:
                    owners[source] = component, extension.kind
                    component.sources.append(source)
                elif component is not (owner := owners[source])[0] and (
                    extension.kind != "CppExtension" or owner[1] == extension.kind
                ):
                    what = f"{source} is compiled again for {extension.name}, with other flags"
                    project.leave(extension.file, extension.line, what, is_lost=True)
            component.names.append(extension.name)
            found += [component] if component not in found and component.sources else []
    return found


def _make_keys(project: Project, backend: str, extension: Extension) -> dict[str, list[str]]:
    """Return the keys of a component for an extension."""
    compiler = "nvcc" if backend == "rocm" else _COMPILERS.get(backend, ("", ""))[1]
    words = [each for key in ("cxx", compiler) for each in _join(extension.flags.get(key, ()))]
    folders = [match[1] for each in words if (match := _FOLDER.match(each))]
    keys = {"include": _find_include(project, extension, [*extension.include, *folders])}
    if any(each.endswith(CPLUSPLUS) for each in extension.sources):
        keys["cxx-flags"] = _select_flags(project, extension, "cxx")
    if compiler and not all(each.endswith(CPLUSPLUS) for each in extension.sources):
        keys[_COMPILERS[backend][0]] = _select_flags(project, extension, compiler)
    for key, words in extension.words.items():
        for word in _join(words):
            is_library = key == "libraries" or word.startswith("-l")
            name = word.removeprefix("-l") if key != "libraries" else word
            reason = _match(_TABLE["linked" if is_library else "dropped"], name)
            reason = "-fopenmp links it" if word.startswith("-fopenmp") else reason
            if reason:
                project.change(extension.file, extension.line, f"{key} {word} is gone: {reason}")
            else:
                what = f"{key} {word} of {extension.name} has no place in build.toml"
                project.leave(extension.file, extension.line, what, is_lost=True)
    return keys


def _match(table: Mapping[str, str], word: str) -> str | None:
    return next((why for known, why in table.items() if re.fullmatch(known, word)), None)


def _join(words: Iterable[str]) -> list[str]:
    """Return flags with those in two words as one: -Xptxas=-v, -Idir, `-isystem dir`."""
    found: list[str] = []
    rest = iter(words)
    for word in rest:
        value = next(rest, None) if word in _IN_TWO else None
        found.append(word if value is None else f"{word}{_IN_TWO[word]}{value}")
    return found


def _find_include(project: Project, extension: Extension, folders: Iterable[str]) -> list[str]:
    """Return the include folders of an extension that are in the project."""
    modules = re.findall(r"(?m)^[ \t]*path[ \t]*=[ \t]*(\S+)", project.read(".gitmodules"))
    found: dict[str, None] = {}
    for each in folders:
        name = posixpath.normpath(each)
        if name == "." or any(file.startswith(f"{name}/") for file in project.files):
            found[name] = None
        elif not name.startswith("/"):
            module = next((module for module in modules if name.startswith(module)), None)
            what = f"the include folder {name} is no folder of the project"
            if module:
                what = f"the submodule {module} is empty: fetch it, and draft again elsewhere"
            project.leave(extension.file, extension.line, what, is_lost=True)
    return list(found)


def _select_flags(project: Project, extension: Extension, compiler: str) -> list[str]:
    """Return the flags of a compiler; notes have those that build.toml need not."""
    found = []
    for word in _join(extension.flags[compiler]):
        if reason := _match(_TABLE["dropped"], word):
            project.change(extension.file, extension.line, f"{word} is gone: {reason}")
        else:
            found.append(word)
    in_two = (each.split(" ", 1) if each.partition(" ")[0] in _IN_TWO else [each] for each in found)
    return [word for words in in_two for word in words]


def find_capabilities(project: Project, given: Sequence[Extension], *, asks: bool) -> list[str]:
    """Return the CUDA capabilities that flags name, as 9.0a, if none is older than 8.0.

    `asks` says that the project asks the machine for its GPU.
    """
    text = " ".join(word for each in given for word in each.flags["nvcc"])
    named = {
        (int(major), minor) for major, minor in re.findall(r"(?:sm|compute)_(\d+)(\d[af]?)\b", text)
    }
    if not named:
        return []
    found = [f"{major}.{minor}" for major, minor in sorted(named)]
    is_newer = min(named)[0] >= 8 and not asks
    where = "in cuda-capabilities: add" if is_newer else "not in cuda-capabilities: the default has"
    what = f"its targets {', '.join(found)} are {where} newer ones"
    if asks:
        what = "its targets depend on the GPU of the machine: cuda-capabilities are the default"
    project.change(given[0].file, given[0].line, what)
    return found if is_newer else []


def find_license(project: Project, named: Sequence[str]) -> str:
    """Return the Hub's name of the license: by its file, else by the names that `setup` gives."""
    known = read_table("config/licences.json")
    files = [
        name for name in project.files if re.fullmatch(r"(?i)(licen[cs]e|copying)(\.\w+)?", name)
    ]
    texts = [(name, project.read(name)[:20_000]) for name in files]
    found = [_search(_TABLE["licences"], text) for _, text in texts]
    for term in named:
        plain = _NO_TERM.sub("", term)
        plain = re.sub(r"[ _]+|, ?version ", "-", plain.strip().lower())
        plain = re.sub(r"(-or-later|-only|-software)$", "", plain)
        found.append(
            plain if plain in {*known["theHubs"]} - {"unknown"} else known["others"].get(plain)
        )
    first = next((each for each in found if each), None)
    if texts and not found[0]:
        project.leave(texts[0][0], 1, "this license is not known here: it is `other` in build.toml")
        return "other"
    if not first:
        what = "the project names no license that the Hub has: it is `other` in build.toml"
        project.leave(texts[0][0] if texts else "LICENSE", 0, what)
    return first or "other"


def _search(table: Mapping[str, str], text: str) -> str | None:
    return next((name for words, name in table.items() if re.search(words, text)), None)


def draft_head(text: str, backends: Sequence[str], terms: str, depends: Sequence[str]) -> str:
    """Return the [general] of the template's build.toml, with the project's license."""
    head = re.split(r"\n(?:#[^\n]*\n)*\[torch", text)[0].rstrip("\n") + "\n"
    more = f"\npython-depends = {json.dumps(depends)}" if depends else ""
    head = re.sub(r"(?m)^backends = .*", f"backends = {json.dumps(backends)}{more}", head)
    return re.sub(r"(?m)^license = .*", f'license = "{terms}"', head)


def draft_sections(
    module: str, components: Sequence[Component], main: str, capabilities: Sequence[str]
) -> list[str]:
    """Return [torch] with the source `main`, and a section for each component."""
    sections = [_write_section("torch", {"src": [main]})]
    taken: set[str] = set()
    for each in components:
        name = f"{module}_{each.backend}"
        if name in taken:
            plain = each.names[0].rpartition(".")[2]
            part = re.sub(r"\W+|_(cpu|cuda)$", "_", plain).strip("_").lower()
            name = f"{module}_{part}_{each.backend}"
        while name in taken:
            name += "_more"
        taken.add(name)
        keys: dict[str, Any] = {"backend": each.backend, "depends": ["torch"], **each.keys}
        if each.backend == "cuda":
            keys["cuda-capabilities"] = capabilities
        sections.append(_write_section(f"kernel.{name}", {**keys, "src": each.sources}))
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
