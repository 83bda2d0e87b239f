"""Reads and writes folders that may come from anybody: regular files and folders, nothing else.

Whatever is copied, uploaded, compared, signed or verified is listed by `list_files` and opened by
`open_file`; whatever is written there is written by `write_below`, and what the user names by
`replace_text`. A symbolic link, a device, a socket or a pipe is an error and is never followed. A
program of the same user that swaps files meanwhile is outside this promise.
"""

import fcntl
import hashlib
import os
import shutil
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import BufferedReader
from pathlib import Path, PurePosixPath
from typing import Final

from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.names import show
from kernel_builder.messages.terminal import complain

MAX_FILES: Final = 100_000
MAX_BYTES: Final = 64 * 2**30
# Other programs walk folders with a function that calls itself.
MAX_DEPTH: Final = 200
# Tenths of a second to wait for another writer.
LONGEST_WAIT: Final = 6000
# Metadata, locks, cards and reports: anything that is read as a whole.
MAX_TEXT_BYTES: Final = 16 * 2**20
FILE: Final = "a regular file"
FOLDER: Final = "a folder"
TIDY: Final = "remove what does not belong there"
_KINDS: Final = {
    stat.S_IFREG: FILE,
    stat.S_IFDIR: FOLDER,
    stat.S_IFLNK: "a symbolic link",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
}
# `Path.is_file` fails for a text that is longer than paths can be.
is_file: Final = os.path.isfile


def _refuse(
    path: Path, found: str, want: str, fix: str = TIDY, action: str = "read"
) -> KernelBuilderError:
    # Names come from strangers: control characters never reach the terminal.
    problem = Problem(show(path), show(found), want, fix)
    return KernelBuilderError(f"{show(path)} is not {action}", [problem])


def require_kind(path: Path, *kinds: str) -> None:
    """Raise KernelBuilderError if a path is neither missing nor of one of these kinds."""
    with suppress(FileNotFoundError):
        _require_mode(path, path.lstat().st_mode, *kinds, action="written to")


def _require_mode(path: Path, mode: int, *kinds: str, action: str = "read") -> None:
    found = _KINDS.get(stat.S_IFMT(mode), "a device")
    if found not in kinds:
        fix = "remove it, or put a copy of the file in its place"
        raise _refuse(path, found, " or ".join(kinds), fix, action)


def require_folder(folder: Path) -> None:
    """Raise KernelBuilderError unless this path itself, without following links, is a folder."""
    _require_mode(folder, folder.lstat().st_mode, FOLDER)


def list_files(folder: Path) -> dict[str, Path]:
    """Return the regular files below a folder by their relative path, sorted, with `/` between.

    Raises KernelBuilderError if the folder, or anything below it, is neither a regular file nor a
    folder, or if there are more than MAX_FILES files, MAX_BYTES bytes or MAX_DEPTH folders in
    each other.
    """
    require_folder(folder)
    files, _, special = _scan(folder)
    for path, mode in special.items():
        _require_mode(path, mode, FILE, FOLDER)
    return dict(sorted((path.relative_to(folder).as_posix(), path) for path in files))


def _scan(
    folder: Path,
    max_bytes: int = MAX_BYTES,
    fix: str = TIDY,
    is_skipped: Callable[[Path], bool] = lambda _: False,
) -> tuple[dict[Path, int], list[Path], dict[Path, int]]:
    """Return all below a folder: files with sizes, folders, and special files with modes.

    No link is followed: it is special, too. What `is_skipped` does not count, and may vanish.
    """
    files, folders, special = {}, [folder], {}
    total = 0
    # The list grows meanwhile.
    for place in folders:
        if len(place.relative_to(folder).parts) >= MAX_DEPTH:
            found = f"more than {MAX_DEPTH} folders in each other"
            raise _refuse(folder, found, "folders of ordinary depth")
        for path in place.iterdir():
            if is_skipped(path):
                continue
            status = path.lstat()
            if stat.S_ISDIR(status.st_mode):
                folders.append(path)
            elif stat.S_ISREG(status.st_mode):
                files[path] = status.st_size
                total += status.st_size
            else:
                special[path] = status.st_mode
        # Early: there is no end to what a stranger's folder may hold.
        if total > max_bytes or len(files) > MAX_FILES:
            largest = max(files, key=lambda path: files[path])
            found = f"{len(files)} files and {total} bytes; the largest file is {largest}"
            raise _refuse(folder, found, f"at most {MAX_FILES} files and {max_bytes} bytes", fix)
    return files, folders[1:], special


def list_empty_folders(folder: Path) -> list[str]:
    """Return the folders below a folder that have no file, by their relative paths with a `/`."""
    files, folders, _ = _scan(folder)
    empty = {*folders} - {up for path in files for up in path.parents}
    return sorted(f"{path.relative_to(folder).as_posix()}/" for path in empty)


def require_size(folder: Path, max_bytes: int, fix: str) -> None:
    """Raise KernelBuilderError for more than MAX_FILES files below a folder, or `max_bytes`."""
    _scan(folder, max_bytes, fix)


def copy_regular(
    folder: Path, target: Path, max_bytes: int, is_skipped: Callable[[Path], bool]
) -> list[str]:
    """Copy the folders and regular files below a folder; return the paths of all else.

    What `is_skipped` does not count. Raises KernelBuilderError if there are more than MAX_FILES
    files, or more than `max_bytes`.
    """
    require_folder(folder)
    files, folders, special = _scan(folder, max_bytes, is_skipped=is_skipped)
    for path in (folder, *folders):
        (target / path.relative_to(folder)).mkdir()
    for path in files:
        copy_file(path, target / path.relative_to(folder))
    return sorted(str(path.relative_to(folder)) for path in special)


def open_file(path: Path, *, max_bytes: int = MAX_BYTES) -> BufferedReader:
    """Open a regular file for reading. Never follows a link and never waits for a pipe.

    Raises KernelBuilderError if it is no regular file or is larger than `max_bytes`, and OSError
    as `open` does.
    """
    # Opening a device may have an effect, so its kind is looked at before, too.
    _require_mode(path, path.lstat().st_mode, FILE)
    opened = os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb")
    size = os.fstat(opened.fileno()).st_size
    if size > max_bytes:
        opened.close()
        want = f"at most {max_bytes} bytes"
        raise _refuse(path, f"{size} bytes", want, "remove it or make it smaller")
    return opened


def read_file(path: Path, *, max_bytes: int = MAX_TEXT_BYTES) -> bytes:
    """Return the content of a regular file; raises as `open_file` does."""
    with open_file(path, max_bytes=max_bytes) as opened:
        return opened.read(max_bytes)


def hash_file(file: Path) -> str:
    """Return the SHA-256 of a regular file in hexadecimal."""
    with open_file(file) as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def copy_file(source: Path, place: Path) -> None:
    """Copy a regular file to where nothing is, so that its owner may write to the copy."""
    with open_file(source) as opened, place.open("xb") as written:
        shutil.copyfileobj(opened, written, 2**20)
        is_program = os.fstat(opened.fileno()).st_mode & stat.S_IXUSR
    place.chmod(0o755 if is_program else 0o644)


def replace_text(file: Path, text: str) -> None:
    """Write a file that the user named, or to a pipe or a terminal.

    Only links of the system, as /dev/stdout, are followed. A kernel, or another user in /tmp or
    /dev/shm, may have put others under the name.
    """
    is_stream = file.exists() and not (file.is_file() or file.is_symlink())
    if is_stream or str(file.parent) in ("/dev", "/dev/fd"):
        file.write_text(text, encoding="utf-8")
    else:
        require_kind(file, FILE)
        _replace(file.parent.resolve() / file.name, text.encode())


def _replace(path: Path, data: bytes) -> None:
    """Write a file, old or new at every moment; other names of the old one keep it."""
    temporary = path.with_name(f".{path.name}.new")
    # Others write a file as quickly.
    with lock_folder(path.parent, tenths=40):
        # A command that was killed has left it.
        temporary.unlink(missing_ok=True)
        try:
            with temporary.open("xb") as opened:
                opened.write(data)
            if path.exists():
                temporary.chmod(stat.S_IMODE(path.stat().st_mode))
            temporary.replace(path)
        except OSError as error:
            # The name that the user knows.
            error.filename = str(path)
            raise
        finally:
            temporary.unlink(missing_ok=True)


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
    require_kind(path, FILE, FOLDER)
    return path


def write_below(root: Path, name: str, data: bytes) -> None:
    """Write a file, old or new at every moment, below `root`; raises as `find_below` does."""
    path = find_below(root, name)
    require_kind(path, FILE)
    path.parent.mkdir(parents=True, exist_ok=True)
    _replace(path, data)


@contextmanager
def lock_folder(folder: Path, tenths: int = LONGEST_WAIT) -> Iterator[None]:
    """Keep other writers of this module out of a folder within a block; wait for them so long."""
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        # Some network file systems lock no folders.
        with suppress(OSError):
            _wait_for_lock(opened, folder, tenths)
        yield
    finally:
        os.close(opened)


def _wait_for_lock(opened: int, folder: Path, tenths: int) -> None:
    # Anybody who may read a folder can lock it.
    for tenth in range(tenths):
        with suppress(BlockingIOError):
            return fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if tenth == 10:
            complain("note", f"waiting for {show(folder)}, which another program has locked")
        time.sleep(0.1)
    fix = "end that program, or wait for it"
    raise _refuse(folder, "a lock of another program", "a free folder", fix, "written to")
