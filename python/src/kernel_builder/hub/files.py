"""Files here and on the Hub, and how to tell that they are the same without downloading any."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

BLOCK: Final = 1024 * 1024
# What Python leaves behind where something was imported; no part of a build.
BYTECODE: Final = (".pyc", ".pyo")


@dataclass(frozen=True)
class LocalFile:
    """A file that is to be on the Hub."""

    source: Path

    @cached_property
    def size(self) -> int:
        return self.source.stat().st_size

    @cached_property
    def sha256(self) -> str:
        """The name of a large file on the Hub."""
        return self._digest(hashlib.sha256())

    @cached_property
    def blob(self) -> str:
        """The name of any other file on the Hub: git's."""
        return self._digest(hashlib.sha1(f"blob {self.size}\0".encode(), usedforsecurity=False))

    def _digest(self, state: Any) -> str:
        with self.source.open("rb") as opened:
            while block := opened.read(BLOCK):
                state.update(block)
        return str(state.hexdigest())


@dataclass(frozen=True)
class RemoteFile:
    """A file on the Hub; `sha256` is there for a large one."""

    blob: str
    sha256: str | None

    def is_same(self, local: LocalFile) -> bool:
        """Say whether a file here has the same content."""
        return local.sha256 == self.sha256 if self.sha256 else local.blob == self.blob


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


def list_folder(folder: Path, prefix: str) -> dict[str, LocalFile]:
    """Return the files below a folder by their path on the Hub."""
    return {
        f"{prefix}/{path.relative_to(folder).as_posix()}": LocalFile(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix not in BYTECODE
    }


def total_size(files: Iterable[LocalFile]) -> int:
    """Return the number of bytes in some files."""
    return sum(file.size for file in files)
