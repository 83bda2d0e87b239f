"""Finds what a project compiles: setup.py, else pyproject.toml, else a plain CMakeLists.txt."""

import re
from typing import Any, Final

import tomli

from kernel_builder.porting.project import Project
from kernel_builder.porting.setup_py import Extension, Reader, Word

_COMMAND: Final = re.compile(r"\b(\w+)\s*\(([^()]{0,100000})\)")
# Words of CMake's commands that name no file.
_KEYWORDS: Final = re.compile(
    r"STATIC|SHARED|MODULE|OBJECT|PRIVATE|PUBLIC|INTERFACE|SYSTEM|BEFORE|GLOB|GLOB_RECURSE"
    r"|CONFIGURE_DEPENDS|WITH_SOABI|USE_SABI|[\d.]+|NO_EXTRAS|LTO"
)
_LIBRARIES: Final = re.compile(r"add_library|\w+_add_(?:module|library)|target_sources")


def read_extensions(project: Project) -> tuple[list[Extension], dict[str, Any]]:
    """Return the extensions of a project, and the other arguments of `setup`."""
    reader = Reader(project)
    if "setup.py" in project.files:
        reader.read()
    found = reader.extensions or _read_pyproject(project) or _read_cmake(project)
    if not found and any(name.endswith((".cu", ".cpp")) for name in project.files):
        what = (
            "no extension was found in setup.py, pyproject.toml or CMakeLists.txt: list its sources"
        )
        project.leave("build.toml", 0, what)
    return found, reader.setup


def _read_pyproject(project: Project) -> list[Extension]:
    try:
        data: Any = tomli.loads(project.read("pyproject.toml"))
        listed = data.get("tool", {}).get("setuptools", {}).get("ext-modules", [])
        return [
            Extension(
                (str(each["name"]),),
                frozenset({"cpu"}),
                [Word(name) for name in each["sources"]],
                [Word(name) for name in each.get("include-dirs", [])],
                {"cxx": [Word(flag) for flag in each.get("extra-compile-args", [])]},
            )
            for each in listed
        ]
    except (tomli.TOMLDecodeError, AttributeError, KeyError, TypeError) as error:
        project.leave("pyproject.toml", 0, f"it cannot be read: {error}")
        return []


def _read_cmake(project: Project) -> list[Extension]:
    """Return one extension with all libraries of a CMakeLists.txt."""
    text = re.sub(r"#[^\n]*", "", project.read("CMakeLists.txt"))
    values: dict[str, list[str]] = {}
    found = Extension((), frozenset({"cpu"}), [], line=1)
    macros: list[str] = []
    for match in _COMMAND.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        words = [word for part in match[2].split() for word in _expand(part.strip('"'), values)]
        name, words = match[1].lower(), [each for each in words if not _KEYWORDS.fullmatch(each)]
        if name == "set" and words:
            values[words[0]] = words[1:1000]
        elif name == "file" and words and "GLOB" in match[2]:
            deep = "GLOB_RECURSE" in match[2]
            patterns = [re.sub(r"([^/]+)$", r"**/\1", each) if deep else each for each in words[1:]]
            values[words[0]] = [each for pattern in patterns for each in project.match(pattern)]
        elif _LIBRARIES.fullmatch(name) and words:
            found.sources += [Word(each, line) for each in words[1:]]
            found.names += (words[0],)
        elif name in ("include_directories", "target_include_directories"):
            found.include += [Word(each, line) for each in words[name.startswith("target") :]]
        elif name in ("add_compile_definitions", "target_compile_definitions"):
            macros += words[name.startswith("target") :]
    found.flags["cxx"] = [Word(f"-D{each.removeprefix('-D')}") for each in macros]
    return [found] if found.sources else []


def _expand(word: str, values: dict[str, list[str]]) -> list[str]:
    """Return the words that a word with variables stands for."""
    word = re.sub(r"\$\{\w*SOURCE_DIR\}", ".", word)
    whole = re.fullmatch(r"\$\{(\w+)\}", word)
    if whole:
        return values.get(whole[1], [])
    return [re.sub(r"\$\{(\w+)\}", lambda at: " ".join(values.get(at[1], [""])[:1]), word)]
