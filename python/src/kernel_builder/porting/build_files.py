"""Finds what a project compiles: setup.py, else pyproject.toml, else a plain CMakeLists.txt."""

import posixpath
import re
from collections.abc import Collection
from typing import Any, Final

import tomli

from kernel_builder.porting.project import SOURCE, Project, Word
from kernel_builder.porting.setup_py import Extension, read_setup

_COMMAND: Final = re.compile(r"\b(\w+)\s*\(([^()]{0,100000})\)")


def read_extensions(
    project: Project, backends: Collection[str]
) -> tuple[dict[str, Extension], list[str], dict[str, Any]]:
    """Return the extension of each backend, all names of extensions, and arguments of `setup`.

    `backends` limits them. Without any, all are read but ROCm, which has the sources of CUDA.
    """
    found, setup = read_setup(project) if "setup.py" in project.files else ({}, {})
    if not found:
        read = _read_pyproject(project)
        read = read if read.sources else _read_cmake(project)
        is_cuda = any(name.endswith(".cu") for name in read.sources)
        found = {"cuda" if is_cuda else "cpu": read} if read.sources else {}
    names = [name for each in found.values() for name in each.names]
    wanted = backends or {*found} - {"rocm"}
    found = {name: each for name, each in found.items() if name in wanted}
    units = [name for name in project.files if name.endswith((".cu", ".cpp"))]
    if units and not found and not setup:
        where = "setup.py, pyproject.toml and CMakeLists.txt"
        project.leave(units[0], 0, f"{where} name no source that can be read: list what you need")
    return found, names, setup


def _read_pyproject(project: Project) -> Extension:
    found = Extension("pyproject.toml")
    try:
        data: Any = tomli.loads(project.read("pyproject.toml"))
        for each in data.get("tool", {}).get("setuptools", {}).get("ext-modules", []):
            found.names.append(str(each["name"]))
            found.sources += map(Word, each["sources"])
            found.include += map(Word, each.get("include-dirs", []))
            found.flags.setdefault("cxx", []).extend(map(Word, each.get("extra-compile-args", [])))
    except (tomli.TOMLDecodeError, AttributeError, KeyError, TypeError) as error:
        project.leave("pyproject.toml", 0, f"it cannot be read: {error}")
    return found


def _read_cmake(project: Project) -> Extension:
    """Return the sources of all targets of a CMakeLists.txt, and its include folders."""
    found, values = Extension("CMakeLists.txt"), dict[str, list[str]]()
    text = re.sub(r"#[^\n]*", "", project.read(found.file))
    for match in _COMMAND.finditer(text):
        name, line = match[1].lower(), text.count("\n", 0, match.start()) + 1
        words = [word for part in match[2].split() for word in _expand(part.strip('"'), values)]
        if name == "set" and words:
            values[words[0]] = words[1:1000]
        elif name == "file" and len(words) > 1 and words[0].startswith("GLOB"):
            # A recursive pattern names files in any folder below its own.
            end = r"**/\1" if words[0] == "GLOB_RECURSE" else r"\1"
            patterns = [re.sub(r"([^/]+)$", end, word) for word in words[2:]]
            values[words[1]] = [each for pattern in patterns for each in project.match(pattern)]
        elif name.endswith("include_directories"):
            folders = [posixpath.normpath(word) for word in words]
            found.include += [Word(each, line) for each in folders if each in project.folders]
        elif "add_" in name or name == "target_sources":
            found.sources += [Word(word, line) for word in words if SOURCE.search(word)]
    return found


def _expand(word: str, values: dict[str, list[str]]) -> list[str]:
    """Return the words that a word with variables stands for."""
    word = re.sub(r"\$\{\w*SOURCE_DIR\}", ".", word)
    if whole := re.fullmatch(r"\$\{(\w+)\}", word):
        return values.get(whole[1], [])
    # A text of any length would take all memory.
    return [re.sub(r"\$\{(\w+)\}", lambda at: "".join(values.get(at[1], [])[:1])[:1000], word)]
