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
    if copies:
        for unit in project["units"]:
            files |= {name: read_file(kernel / name) for name in (unit["source"], *unit["headers"])}
        endings = {f".{ending}" for ending in project["pyext"]}
        for folder in (project["pythonFolder"], "tests"):
            present = list_files(kernel / folder) if (kernel / folder).is_dir() else {}
            for name, path in present.items():
                if path.suffix in endings and f"{folder}/{name}" not in files:
                    files[f"{folder}/{name}"] = read_file(path)
    return files


def write_project(files: Mapping[str, bytes], folder: Path, *, overwrite: bool) -> list[str]:
    """Write a project and its record; return the names of the files that change.

    Raises KernelBuilderError if a file of the user would be replaced, unless `overwrite` is set.
    """
    record = _read_record(folder)
    changed = {name: data for name, data in files.items() if _read(folder, name) != data}
    foreign = [name for name in changed if not _is_removable(folder, name, record)]
    if foreign and not overwrite:
        problem = Problem(
            at=str(folder),
            found="files that were there before, or changed since: " + ", ".join(foreign),
            want="only files that create-pyproject made",
            fix="move them away, or --force to replace them",
        )
        headline = f"the project would replace {len(foreign)} files of yours"
        raise KernelBuilderError(headline, [problem])
    # Files of an earlier project.
    for name in sorted(set(record) - set(files)):
        if _is_removable(folder, name, record):
            (folder / name).unlink(missing_ok=True)
    for name, data in changed.items():
        write_below(folder, name, data)
    written = {name: _digest(data) for name, data in files.items()}
    write_below(folder, RECORD, f"{json.dumps(written, indent=2, sort_keys=True)}\n".encode())
    return list(changed)


def remove_project(folder: Path) -> tuple[list[str], list[str]]:
    """Remove the files of a project, and folders that are empty then.

    Return the names of the removed files, and of those that were changed and stay.
    """
    record = _read_record(folder)
    present = [name for name in sorted(record) if (folder / name).exists()]
    removed = [name for name in present if _is_removable(folder, name, record)]
    for name in removed:
        (folder / name).unlink()
    (folder / RECORD).unlink(missing_ok=True)
    for parent in {Path(RECORD).parent, *(Path(name).parent for name in removed)}:
        place = folder / parent
        if parent != Path() and place.is_dir() and not any(place.iterdir()):
            place.rmdir()
    return removed, [name for name in present if name not in removed]


def _read(folder: Path, name: str) -> bytes | None:
    path = find_below(folder, name)
    return read_file(path) if path.exists() else None


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _is_removable(folder: Path, name: str, record: Mapping[str, str]) -> bool:
    data = _read(folder, name)
    return data is None or _digest(data) == record.get(name)


def _read_record(folder: Path) -> dict[str, str]:
    """Return the record; it may name only files in this folder, and no links."""
    file = find_below(folder, RECORD)
    found = "not a JSON object"
    try:
        record = json.loads(read_file(file))
        if isinstance(record, dict):
            for name in record:
                found = f"a file of another folder, or a link: {name}"
                find_below(folder, name)
            return record
    except FileNotFoundError:
        return {}
    except (ValueError, KernelBuilderError):
        pass
    want = "the names of files in this folder, as create-pyproject writes them"
    fix = "remove it; files that create-pyproject made have to be removed by hand then"
    headline = f"{file} is not as it was written"
    raise KernelBuilderError(headline, [Problem(str(file), found, want, fix)])
