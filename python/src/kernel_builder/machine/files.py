"""Writes files whole or not at all.

Folders that may come from strangers are written to by `write_below`, which passes through no link.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import Final

from kernel_builder.machine.tree import open_file, refuse_kind
from kernel_builder.messages.errors import KernelBuilderError, Problem

FILE: Final = "a regular file"
FOLDER: Final = "a folder"
EITHER: Final = "a regular file or a folder"


def replace_text(file: Path, text: str) -> None:
    """Write a file that the user named: old or new at every moment, whole. Links are followed.

    What is no file, such as a pipe or a terminal, is written to.
    """
    if file.exists() and not file.is_file():
        file.write_text(text, encoding="utf-8")
        return
    target = file.resolve()
    beside = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        beside.write_bytes(text.encode())
        if target.exists():
            shutil.copymode(target, beside)
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)


def find_below(root: Path, name: str) -> Path:
    """Return the path of `name` (parts with `/` between) below `root`, which may be missing.

    Raises KernelBuilderError if it would lie outside of `root`, if a folder on the way, `root`
    included, is a link or no folder, or if the path itself is neither a file nor a folder.
    """
    parts = PurePosixPath(name).parts
    if not parts or parts[0] == "/" or ".." in parts:
        problem = Problem(str(root), name, "a path inside this folder", "remove that entry")
        raise KernelBuilderError(f"{name} is outside of {root}", [problem])
    path = root
    for part in parts:
        require_kind(path, FOLDER)
        path /= part
    require_kind(path, EITHER)
    return path


def write_below(root: Path, name: str, data: bytes) -> None:
    """Write a file below `root`, and the folders above it; raises as `find_below` does.

    The file is old or new at every moment, whole, and other names of the old one keep it.
    """
    path = find_below(root, name)
    require_kind(path, FILE)
    path.parent.mkdir(parents=True, exist_ok=True)
    mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else None
    beside = path.with_name(f".{path.name}.new")
    with alone_in(path.parent):
        # A command that was killed has left it.
        beside.unlink(missing_ok=True)
        try:
            with beside.open("xb") as opened:
                opened.write(data)
            if mode is not None:
                beside.chmod(mode)
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Keep other writers of this module out of a folder for a while."""
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        # Some network file systems lock no folders.
        with suppress(OSError):
            fcntl.flock(opened, fcntl.LOCK_EX)
        yield
    finally:
        os.close(opened)


def hash_file(file: Path) -> str:
    """Return the SHA-256 of a regular file in hexadecimal."""
    digest = hashlib.sha256()
    with open_file(file) as opened:
        for block in iter(lambda: opened.read(2**20), b""):
            digest.update(block)
    return digest.hexdigest()


def copy_file(source: Path, place: Path) -> None:
    """Copy a regular file to where nothing is, so that its owner may write to the copy."""
    with open_file(source) as opened, place.open("xb") as written:
        shutil.copyfileobj(opened, written, 2**20)
        is_program = os.fstat(opened.fileno()).st_mode & stat.S_IXUSR
    place.chmod(0o755 if is_program else 0o644)


def require_kind(path: Path, want: str) -> None:
    """Raise KernelBuilderError if there is something at `path` that is not what is wanted."""
    try:
        status = path.lstat()
    except FileNotFoundError:
        return
    kinds = {stat.S_IFDIR: (FOLDER, EITHER), stat.S_IFREG: (FILE, EITHER)}
    if want not in kinds.get(stat.S_IFMT(status.st_mode), ()):
        raise refuse_kind(path, status, "is not written to", want)
