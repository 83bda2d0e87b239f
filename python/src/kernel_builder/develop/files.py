"""Write the files of a project into a folder, and remove them again.

A record has the digest of each written file. A file that was there before, or was changed since,
belongs to the user.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from kernel_builder.machine.files import find_below, list_files, read_file, write_below
from kernel_builder.messages.errors import KernelBuilderError, Problem

RECORD: Final = ".kernel-builder/made.json"


def collect_files(project: Mapping[str, Any], kernel: Path, *, copies: bool) -> dict[str, bytes]:
    """Return the files of a project by their names.

    `project` is the kernel's output of that name. `copies` adds the kernel's own sources, Python
    files and tests, for a project in another folder.
    """
    files = {name: text.encode() for name, text in project["files"].items()}
    if not copies:
        return files
    names = [name for unit in project["units"] for name in (unit["source"], *unit["headers"])]
    endings = {f".{ending}" for ending in project["pyext"]}
    for folder in (project["pythonFolder"], "tests"):
        present = list_files(kernel / folder) if (kernel / folder).is_dir() else {}
        names += [f"{folder}/{name}" for name, path in present.items() if path.suffix in endings]
    return {name: read_file(kernel / name) for name in names} | files


def write_project(files: Mapping[str, bytes], folder: Path, *, overwrite: bool) -> list[str]:
    """Write a project and its record; return the names of the files that change.

    Raises KernelBuilderError if a file of the user would be replaced, unless `overwrite` is set.
    """
    record = _read_record(folder)
    changed = [name for name, data in files.items() if _digest(folder, name) != _hash(data)]
    foreign = [name for name in changed if _digest(folder, name) not in (None, record.get(name))]
    if foreign and not overwrite:
        found = "files that were there before, or changed since: " + ", ".join(foreign)
        fix = "move them away, or --force to replace them"
        problem = Problem(str(folder), found, "only files that create-pyproject made", fix)
        headline = f"the project would replace {len(foreign)} files of yours"
        raise KernelBuilderError(headline, [problem])
    for name in record.keys() - files.keys():
        if _digest(folder, name) == record[name]:
            (folder / name).unlink()
    for name in changed:
        write_below(folder, name, files[name])
    written = {name: _hash(data) for name, data in files.items()}
    write_below(folder, RECORD, f"{json.dumps(written, indent=2, sort_keys=True)}\n".encode())
    return changed


def remove_project(folder: Path) -> tuple[list[str], list[str]]:
    """Remove the files of a project, and folders that are empty then.

    Return the names of the removed files, and of those that were changed and stay.
    """
    record = _read_record(folder)
    present = {name: digest for name in sorted(record) if (digest := _digest(folder, name))}
    removed = [name for name, digest in present.items() if digest == record[name]]
    for name in removed:
        (folder / name).unlink()
    (folder / RECORD).unlink(missing_ok=True)
    for parent in {(folder / name).parent for name in (RECORD, *removed)} - {folder}:
        if parent.is_dir() and not any(parent.iterdir()):
            parent.rmdir()
    return removed, [name for name in present if name not in removed]


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _digest(folder: Path, name: str) -> str | None:
    """Return the digest of a file in the folder, which may be no link; None without the file."""
    path = find_below(folder, name)
    return _hash(read_file(path)) if path.exists() else None


def _read_record(folder: Path) -> dict[str, str]:
    file = find_below(folder, RECORD)
    if not file.exists():
        return {}
    try:
        return dict(json.loads(read_file(file)))
    except (TypeError, ValueError) as error:
        fix = "remove it; files that create-pyproject made have to be removed by hand then"
        problem = Problem(str(file), str(error), "the JSON that create-pyproject wrote", fix)
        raise KernelBuilderError(f"{file} is not as it was written", [problem]) from None
