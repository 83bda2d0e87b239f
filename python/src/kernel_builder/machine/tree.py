"""Reads folders that may come from anybody: regular files and folders count, and nothing else.

Whatever is copied, uploaded, compared, signed or verified is listed by `list_files` and opened by
`open_file`. A symbolic link, a device, a socket or a pipe is an error and is never followed. A
program of the same user that swaps files while they are read is outside this promise.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Final

from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.names import show

MAX_FILES: Final = 100_000
MAX_BYTES: Final = 64 * 2**30
# Metadata, locks, cards and reports: anything that is read as a whole.
MAX_TEXT_BYTES: Final = 16 * 2**20


def list_files(
    folder: Path, *, max_files: int = MAX_FILES, max_bytes: int = MAX_BYTES
) -> dict[str, Path]:
    """Return the regular files below a folder by their relative path, sorted, with `/` between.

    Raises KernelBuilderError if the folder itself, or anything below it, is neither a regular file
    nor a folder, or if there are more than `max_files` files or `max_bytes` bytes.
    """
    files: dict[str, Path] = {}
    total = 0
    for path, status in _walk(folder):
        files[path.relative_to(folder).as_posix()] = path
        total += status.st_size
        if len(files) > max_files or total > max_bytes:
            found = f"more than {max_files} files" if len(files) > max_files else f"{total} bytes"
            want = f"at most {max_files} files and {max_bytes} bytes"
            raise _refuse(folder, found, want, "remove what does not belong there")
    return dict(sorted(files.items()))


def open_file(path: Path, *, max_bytes: int = MAX_BYTES) -> BinaryIO:
    """Open a regular file for reading. Never follows a link and never waits for a pipe.

    Raises KernelBuilderError if it is no regular file or is larger than `max_bytes`, and OSError
    as `open` does.
    """
    status = os.lstat(path)
    if not stat.S_ISREG(status.st_mode):
        raise refuse_kind(path, status)
    opened = os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb")
    status = os.fstat(opened.fileno())
    if not stat.S_ISREG(status.st_mode) or status.st_size > max_bytes:
        opened.close()
        found = f"{status.st_size} bytes"
        raise _refuse(path, found, f"at most {max_bytes} bytes", "remove it or make it smaller")
    return opened


def read_file(path: Path, *, max_bytes: int = MAX_TEXT_BYTES) -> bytes:
    """Return the content of a regular file; raises as `open_file` does."""
    with open_file(path, max_bytes=max_bytes) as opened:
        return opened.read(max_bytes)


def require_folder(folder: Path) -> None:
    """Raise KernelBuilderError unless this path itself, without following links, is a folder."""
    status = os.lstat(folder)
    if not stat.S_ISDIR(status.st_mode):
        raise refuse_kind(folder, status)


def require_size(folder: Path, max_bytes: int, fix: str) -> None:
    """Raise KernelBuilderError if all files below a folder have more bytes than `max_bytes`.

    Nothing is opened, links are not followed, and what cannot be read counts as nothing.
    """
    total, largest = 0, (0, folder)
    for place, _, names in os.walk(folder):
        for path in (Path(place, name) for name in names):
            with suppress(OSError):
                size = path.lstat().st_size
                total, largest = total + size, max(largest, (size, path))
        if total > max_bytes:
            found = f"{total} bytes or more; the largest file is {largest[1]}"
            raise _refuse(folder, found, f"at most {max_bytes} bytes", fix)


def _walk(folder: Path) -> Iterator[tuple[Path, os.stat_result]]:
    require_folder(folder)
    waiting = [folder]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                status = entry.stat(follow_symlinks=False)
                if stat.S_ISDIR(status.st_mode):
                    waiting.append(Path(entry.path))
                elif stat.S_ISREG(status.st_mode):
                    yield Path(entry.path), status
                else:
                    raise refuse_kind(Path(entry.path), status)


def refuse_kind(
    path: Path,
    status: os.stat_result,
    headline: str = "is not read",
    want: str = "a regular file or a folder",
) -> KernelBuilderError:
    """Return the error about a path that is of no use because of its kind."""
    kinds = {
        stat.S_IFLNK: "a symbolic link",
        stat.S_IFIFO: "a named pipe",
        stat.S_IFSOCK: "a socket",
        stat.S_IFDIR: "a folder",
        stat.S_IFREG: "a regular file",
    }
    found = kinds.get(stat.S_IFMT(status.st_mode), "a device")
    fix = "remove it, or put a copy of the file in its place"
    return _refuse(path, found, want, fix, headline)


def _refuse(
    path: Path, found: str, want: str, fix: str, headline: str = "is not read"
) -> KernelBuilderError:
    # Names come from strangers: control characters never reach the terminal.
    shown = show(path)
    return KernelBuilderError(f"{shown} {headline}", [Problem(shown, show(found), want, fix)])
