"""What has to change on the Hub, and in which commits: pure functions, nothing is sent."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from kernel_builder.machine.files import list_files, open_file
from kernel_builder.variants.result import METADATA, is_signature

# Within what the Hub takes in one commit before it times out.
FILES_A_COMMIT: Final = 100
BYTES_A_COMMIT: Final = 64 * 1024 * 1024
# Larger ones are uploaded on their own, before the commit.
SMALL: Final = 10 * 1024 * 1024
BLOCK: Final = 1024 * 1024
# What Python leaves behind where something was imported; no part of a build.
BYTECODE: Final = (".pyc", ".pyo")


@dataclass(frozen=True)
class LocalFile:
    """A file that is to be on the Hub."""

    source: Path

    @cached_property
    def size(self) -> int:
        return self.source.lstat().st_size

    @cached_property
    def sha256(self) -> str:
        return self._digest(hashlib.sha256())

    def is_called(self, name: str) -> bool:
        """Say whether the Hub's name of a content is that of this file.

        Of a large file that is its SHA-256, of any other git's name, so that nothing has to be
        downloaded to compare.
        """
        if len(name) == len(self.sha256):
            return name == self.sha256
        git = hashlib.sha1(f"blob {self.size}\0".encode(), usedforsecurity=False)
        return name == self._digest(git)

    def _digest(self, state: Any) -> str:
        with open_file(self.source) as opened:
            while block := opened.read(BLOCK):
                state.update(block)
        return str(state.hexdigest())


def list_folder(folder: Path, prefix: str) -> dict[str, LocalFile]:
    """Return the files below a folder by their path on the Hub; raises for links in it."""
    return {
        f"{prefix}/{name}": LocalFile(path)
        for name, path in list_files(folder).items()
        if path.suffix not in BYTECODE
    }


@dataclass(frozen=True)
class Part:
    """Files that belong together and change together, such as those of one variant.

    `owned` are the folders (ending in `/`) and files in which nothing else may remain.
    """

    name: str
    files: Mapping[str, LocalFile]
    owned: tuple[str, ...]

    def owns(self, path: str) -> bool:
        """Say whether a path on the Hub is this part's."""
        return any(path.startswith(own) if own.endswith("/") else path == own for own in self.owned)


@dataclass
class Change:
    """Files to write, and paths to remove, of some parts."""

    parts: tuple[str, ...]
    add: dict[str, LocalFile] = field(default_factory=dict)
    remove: list[str] = field(default_factory=list)

    def __add__(self, other: Change) -> Change:
        parts = tuple(dict.fromkeys((*self.parts, *other.parts)))
        return Change(parts, {**self.add, **other.add}, [*self.remove, *other.remove])

    @property
    def fits(self) -> bool:
        """Say whether it is small enough for a commit: large files do not travel in one."""
        weight = sum(file.size for file in self.add.values() if file.size <= SMALL)
        return len(self.add) <= FILES_A_COMMIT and weight <= BYTES_A_COMMIT

    @property
    def pieces(self) -> list[Change]:
        """What has to be in one commit: all of it, or file by file if that is too much."""
        if self.fits:
            return [self]
        paths = sorted(self.add, key=lambda path: (path.endswith(f"/{METADATA}"), path))
        files = [Change(self.parts, {path: self.add[path]}) for path in paths]
        files[-1].remove = self.remove
        return files


def compare(parts: Sequence[Part], there: Mapping[str, str]) -> list[Change]:
    """Return a change for each part that is not on the Hub as it is here.

    `there` has the Hub's name of each file's content by path.
    """
    changes = [
        Change(
            (part.name,),
            {
                path: file
                for path, file in part.files.items()
                if path not in there or not file.is_called(there[path])
            },
            sorted(path for path in there if part.owns(path) and path not in part.files),
        )
        for part in parts
    ]
    return [
        change
        for change in changes
        # A build that is there, signed, is not made one without signatures.
        if change.add or not all(is_signature(path) for path in change.remove)
    ]


def plan_commits(changes: Sequence[Change]) -> list[Change]:
    """Return the same changes in commits of bounded size.

    A part changes in one commit, so that nobody ever gets a mixture of two builds, unless it is
    too large for that; then its metadata, which clients read first, comes last.
    """
    commits: list[Change] = []
    for piece in (piece for change in changes for piece in change.pieces):
        if commits and (joined := commits[-1] + piece).fits:
            commits[-1] = joined
        else:
            commits.append(piece)
    return commits
