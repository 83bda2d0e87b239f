"""Reads a project that may come from anybody: regular files alone, no link is followed."""

import os
import posixpath
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from kernel_builder.machine.files import read_file
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.names import show

MAX_FILES: Final = 50_000
MAX_TEXT: Final = 2**20
MAX_TEXTS: Final = 2**28
# A project cannot bring a flake.nix, a workflow or settings of an editor as a source.
SOURCE: Final = re.compile(r"\.(c|cc|cpp|cxx|cu|hip|mm|sycl)$")
_HEADER: Final = re.compile(
    r"(^|/)([^./]+|[^/]+\.(h|hh|hpp|hxx|cuh|inl|inc|ipp|tpp|def|c|cc|cpp|cxx|cu|hip|mm|sycl))$"
)
_SKIPPED: Final = {".git", "__pycache__", "build", "dist", "node_modules"}
_INCLUDE: Final = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">\n]+)[">]', re.MULTILINE)


@dataclass(frozen=True)
class Note:
    """One thing that the draft changed, or left to the author; `line` 0 is a whole file."""

    is_left: bool
    file: str
    line: int
    text: str


@dataclass
class Project:
    """The files of a project by their relative names, and the notes about them."""

    root: Path
    files: dict[str, Path] = field(default_factory=dict)
    folders: set[str] = field(default_factory=set)
    # Each note once, in their order.
    notes: dict[Note, None] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    _size: int = 0

    def change(self, file: str, line: int, text: str) -> None:
        """Note a change of the draft."""
        self.notes[Note(False, file, line, text)] = None

    def leave(self, file: str, line: int, text: str) -> None:
        """Note something that the author has to do or to look at."""
        self.notes[Note(True, file, line, text)] = None

    def read(self, name: str) -> str:
        """Return the text of a file: empty without one, and with a note if it is unreadable."""
        if name not in self.files:
            return ""
        if name not in self.texts:
            self.texts[name] = ""
            try:
                data = read_file(self.files[name], max_bytes=MAX_TEXT)
                self.texts[name] = data.decode(errors="surrogateescape").replace("\r\n", "\n")
                self.texts[name].encode()
            except UnicodeEncodeError:
                self.texts[name] = data.decode("latin-1")
                self.change(name, 0, "it is not in UTF-8: the copy is, read as Latin-1")
                self._size += len(data)
            except KernelBuilderError as error:
                self.leave(name, 0, f"it cannot be read: {error.problems[0].found}")
            except OSError as error:
                self.leave(name, 0, f"it cannot be read: {error.strerror}")
        if self._size > MAX_TEXTS:
            problem = Problem(
                show(self.root), "more text", f"at most {MAX_TEXTS} bytes", "name a part"
            )
            raise KernelBuilderError("the project is too large", [problem])
        return self.texts[name]

    def match(self, pattern: str) -> list[str]:
        """Return the files that a pattern of `glob` names, sorted."""
        pattern = posixpath.normpath(pattern)
        if len(pattern) > 200 or pattern.count("*") > 8:
            return []
        parts = {r"\*\*/": "(?:.*/)?", r"\*\*": ".*", r"\*": "[^/]*", r"\?": "[^/]"}
        regex = re.compile(
            re.sub(r"\\\*\\\*/|\\\*\\\*|\\\*|\\\?", lambda at: parts[at[0]], re.escape(pattern))
        )
        return sorted(name for name in self.files if regex.fullmatch(name))

    def find_includes(self, sources: Iterable[str], folders: Iterable[str]) -> list[str]:
        """Return the sources and all files of the project that they include."""
        found = dict.fromkeys(sources)
        todo = list(found)
        for name in todo:
            text = self.read(name)
            for match in _INCLUDE.finditer(text):
                places = [*([posixpath.dirname(name)] if match[1] == '"' else []), *folders]
                paths = [posixpath.normpath(posixpath.join(place, match[2])) for place in places]
                path = next((path for path in paths if path in self.files), None)
                if path and path not in found and _HEADER.search(path) and not path.startswith("."):
                    found[path] = None
                    todo.append(path)
        return list(found)


def open_project(root: Path) -> Project:
    """Return a project. Raises KernelBuilderError if the folder is missing or too large."""
    project = Project(root)
    if not root.is_dir():
        problem = Problem("--from", show(root), "the folder of a project", "correct the path")
        raise KernelBuilderError("there is no project to read", [problem])
    for folder, folders, files in os.walk(root):
        place = Path(folder).relative_to(root)
        for name in [*folders, *files]:
            path, relative = Path(folder, name), (place / name).as_posix()
            if path.is_symlink():
                project.leave(relative, 0, "it is a link: it was not followed")
            elif path.is_file():
                project.files[relative] = path
            elif path.is_dir():
                project.folders.add(relative)
        folders[:] = [name for name in folders if name not in _SKIPPED]
        if len(project.files) > MAX_FILES:
            want = f"at most {MAX_FILES} files"
            fix = "name the folder that has the setup.py"
            problem = Problem(show(root), f"more than {MAX_FILES} files", want, fix)
            raise KernelBuilderError("the project is too large", [problem])
    return project
