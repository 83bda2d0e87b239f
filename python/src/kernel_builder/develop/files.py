"""Which files a project has, and which of them may be replaced or taken away again.

What was written is recorded by content: a file that somebody has changed since, or that was there
before, is theirs.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from kernel_builder.machine.files import find_below, read_file, write_below
from kernel_builder.messages.errors import KernelBuilderError, Problem

RECORD: Final = ".kernel-builder/made.json"
# Keeps bytes that are no UTF-8 as they are.
BYTES: Final = "surrogateescape"


def read_text(file: Path) -> str:
    """Return the text of a regular file, also if it is no UTF-8."""
    return read_file(file).decode(errors=BYTES)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors=BYTES)).hexdigest()


def _read_record(folder: Path) -> dict[str, str]:
    """Return what was written, or raise if the record is not one of this folder's files."""
    file = find_below(folder, RECORD)
    try:
        record = json.loads(read_file(file))
    except FileNotFoundError:
        return {}
    except ValueError:
        raise _no_record(file, "no JSON") from None
    if not isinstance(record, dict):
        raise _no_record(file, "no JSON object")
    for name in record:
        try:
            find_below(folder, name)
        except KernelBuilderError:
            raise _no_record(file, f"a file of another folder, or a link: {name}") from None
    return record


def _no_record(file: Path, found: str) -> KernelBuilderError:
    want = "the names of files in this folder, as create-pyproject writes them"
    fix = "remove it; files that create-pyproject made have to be removed by hand then"
    return KernelBuilderError(
        f"{file} is not as it was written", [Problem(str(file), found, want, fix)]
    )


def _is_ours(folder: Path, name: str, record: Mapping[str, str]) -> bool:
    path = find_below(folder, name)
    return not path.exists() or _digest(read_text(path)) == record.get(name)


def write_files(files: Mapping[str, str], folder: Path, *, overwrite: bool) -> list[str]:
    """Write a project and its record; return the files that are other than before."""
    record = _read_record(folder)
    other = {
        name: text
        for name, text in files.items()
        if not find_below(folder, name).exists() or read_text(folder / name) != text
    }
    foreign = [name for name in other if not _is_ours(folder, name, record)]
    if foreign and not overwrite:
        problem = Problem(
            at=str(folder),
            found="files that were there before, or changed since: " + ", ".join(foreign),
            want="only files that create-pyproject made",
            fix="move them away, or --force to replace them",
        )
        headline = f"the project would replace {len(foreign)} files of yours"
        raise KernelBuilderError(headline, [problem])
    # What an earlier project had and this one has not.
    for name in sorted(set(record) - set(files)):
        if _is_ours(folder, name, record):
            (folder / name).unlink(missing_ok=True)
    for name, text in other.items():
        write_below(folder, name, text.encode(errors=BYTES))
    made = {name: _digest(text) for name, text in files.items()}
    write_below(folder, RECORD, f"{json.dumps(made, indent=2, sort_keys=True)}\n".encode())
    return list(other)


def remove_files(folder: Path) -> tuple[list[str], list[str]]:
    """Take away what was written and is as it was; folders that are empty then, too.

    Return the files that are removed, and those that stay since they were changed.
    """
    record = _read_record(folder)
    there = [name for name in sorted(record) if (folder / name).exists()]
    removed = [name for name in there if _is_ours(folder, name, record)]
    for name in removed:
        (folder / name).unlink()
    (folder / RECORD).unlink(missing_ok=True)
    for parent in {Path(RECORD).parent, *(Path(name).parent for name in removed)}:
        place = folder / parent
        if parent != Path() and place.is_dir() and not any(place.iterdir()):
            place.rmdir()
    return removed, [name for name in there if name not in removed]
