"""Reads a project that may come from anybody: regular files alone, no link is followed."""

import os
import posixpath
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from kernel_builder.machine.files import read_file, write_below
from kernel_builder.messages.errors import KernelBuilderError, Problem, describe_error
from kernel_builder.messages.names import show

MAX_FILES: Final = 50_000
MAX_TEXT: Final = 2**20
MAX_TEXTS: Final = 2**28
MAX_COPIED: Final = 2**31
# A project cannot bring a flake.nix, a workflow or settings of an editor as a source.
SOURCE: Final = re.compile(r"\.(c|cc|cpp|cxx|cu|hip|metal|mm|sycl)$")
_HEADER: Final = re.compile(
    r"(^|/)([^./]+|[^/]+\.(h|hh|hpp|hxx|cuh|inl|inc|ipp|tpp|def|c|cc|cpp|cxx|cu|hip|mm|sycl))$"
)
CODE: Final = (
    ".c", ".cc", ".cpp", ".cxx", ".cu", ".hip", ".metal", ".mm", ".py", ".pyi", ".sycl"
)  # fmt: skip
_SKIPPED: Final = {".git", "__pycache__", "build", "dist", "node_modules"}
_INCLUDE: Final = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">\n]+)[">]', re.MULTILINE)


@dataclass
class Project:
    """The files of a project by their relative names, and the notes about them."""

    root: Path
    files: dict[str, Path] = field(default_factory=dict)
    folders: set[str] = field(default_factory=set)
    # Notes of changes, and of work for the author, each with its places.
    changed: dict[str, dict[str, None]] = field(default_factory=dict)
    left: dict[str, dict[str, None]] = field(default_factory=dict)
    # Those of `left` without which the draft lacks a part of the project.
    lost: set[str] = field(default_factory=set)
    texts: dict[str, str] = field(default_factory=dict)
    _room: int = MAX_TEXTS

    def change(self, file: str, line: int, text: str) -> None:
        """Note a change of the draft; the line 0 is a whole file."""
        _add(self.changed, file, line, text)

    def leave(self, file: str, line: int, text: str, *, is_lost: bool = False) -> None:
        """Note something that the author has to do or to look at."""
        _add(self.left, file, line, text)
        self.lost |= {show(text)} if is_lost else set()

    def copy(self, target: Path) -> None:
        """Copy the files into a folder; one that is too large for a source is empty there.

        Raises KernelBuilderError if all together have more than MAX_COPIED bytes.
        """
        sizes = {name: path.lstat().st_size for name, path in self.files.items()}
        small = {name for name in sizes if sizes[name] <= MAX_TEXT}
        if sum(sizes[name] for name in small) > MAX_COPIED:
            raise _refuse(self.root, "more", f"at most {MAX_COPIED} bytes in small files")
        for name, path in self.files.items():
            write_below(target, name, read_file(path) if name in small else b"")

    def read(self, name: str) -> str:
        """Return the text of a file: empty without one, and with a note if it is unreadable."""
        if name in self.files and name not in self.texts:
            try:
                data = read_file(self.files[name], max_bytes=min(MAX_TEXT, self._room))
            except (KernelBuilderError, OSError) as error:
                data = b""
                problem = describe_error(error).problems[0]
                self.leave(name, 0, f"it cannot be read: {problem.found}")
            self._room -= len(data)
            try:
                text = data.decode()
            except UnicodeDecodeError:
                text = data.decode("latin-1")
                self.change(name, 0, "it is not in UTF-8: the copy is, read as Latin-1")
            self.texts[name] = text.replace("\r\n", "\n")
        return self.texts.get(name, "")

    def find_includes(self, sources: Iterable[str], folders: Sequence[str]) -> list[str]:
        """Return the sources and all files of the project that they include."""
        found = dict.fromkeys(sources)
        todo = list(found)
        # Elsewhere, a file without an ending may be a Makefile, or a workflow.
        headers = tuple(f"{folder}/" for folder in folders if folder not in ("", "."))
        for name in todo:
            for match in _INCLUDE.finditer(self.read(name)):
                places = [*([posixpath.dirname(name)] if match[1] == '"' else []), *folders]
                paths = [posixpath.normpath(posixpath.join(place, match[2])) for place in places]
                path = next((path for path in paths if path in self.files), None)
                if not path or path in found or path.startswith("."):
                    continue
                if _HEADER.search(path) and ("." in Path(path).name or path.startswith(headers)):
                    found[path] = None
                    todo.append(path)
        return list(found)


def _add(notes: dict[str, dict[str, None]], file: str, line: int, text: str) -> None:
    notes.setdefault(show(text), {})[show(f"{file}:{line}" if line else file)] = None


def _refuse(root: Path, found: str, want: str) -> KernelBuilderError:
    problem = Problem(show(root), found, want, "name the folder that has the setup.py")
    return KernelBuilderError("the project is too large", [problem])


def open_project(root: Path) -> Project:
    """Return a project. Raises KernelBuilderError if the folder is missing or too large."""
    project, links = Project(root), dict[str, str]()
    if not root.is_dir():
        problem = Problem("--from", show(root), "the folder of a project", "correct the path")
        raise KernelBuilderError("there is no project to read", [problem])
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name not in _SKIPPED]
        for path in (Path(folder, name) for name in [*folders, *files]):
            name = path.relative_to(root).as_posix()
            if path.is_symlink():
                place = posixpath.join(posixpath.dirname(name), path.readlink())
                links[name] = posixpath.normpath(place)
            elif path.is_file():
                project.files[name] = path
            else:
                project.folders.add(name)
        if len(project.files) > MAX_FILES:
            raise _refuse(root, "more files", f"at most {MAX_FILES} files")
    for name, place in links.items():
        # The name of another file of the project is that file. No link is followed by the system.
        if place in project.files and place not in links:
            project.files[name] = project.files[place]
        else:
            what = "it is a link out of the project, or to no file: it was not followed"
            project.leave(name, 0, what)
    return project


def apply_edits(text: str, edits: Iterable[tuple[int, int, str]]) -> str:
    """Return a text with edits as (start, end, new text); one takes away those inside of it."""
    kept: list[tuple[int, int, str]] = []
    for edit in sorted(edits, key=lambda each: (each[0], each[1] > each[0], -each[1])):
        kept += [edit] if not kept or edit[0] >= kept[-1][1] else []
    pieces, at = [], 0
    for start, end, new in kept:
        pieces += [text[at:start], new]
        at = end
    return "".join([*pieces, text[at:]])
