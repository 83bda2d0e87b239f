"""Which files a project has, and which of them may be replaced or taken away again.

What was written is recorded by content: a file that somebody has changed since, or that was there
before, is theirs.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kernel_builder.messages.errors import KernelBuilderError, Problem

RECORD: Final = ".kernel-builder/made.json"


@dataclass(frozen=True)
class Removed:
    """What became of the files of a project."""

    removed: list[str]
    changed: list[str]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _read_record(folder: Path) -> dict[str, str]:
    try:
        return dict(json.loads((folder / RECORD).read_text(encoding="utf-8")))
    except FileNotFoundError:
        return {}


def _is_ours(folder: Path, name: str, record: Mapping[str, str]) -> bool:
    path = folder / name
    return not path.exists() or _digest(path.read_text(encoding="utf-8")) == record.get(name)


def write_files(files: Mapping[str, str], folder: Path, *, overwrite: bool) -> list[str]:
    """Write a project and its record; return the files that are other than before."""
    record = _read_record(folder)
    foreign = [
        name
        for name, text in files.items()
        if not _is_ours(folder, name, record)
        and (folder / name).read_text(encoding="utf-8") != text
    ]
    if foreign and not overwrite:
        problem = Problem(
            at=str(folder),
            found="files that were there before, or changed since: " + ", ".join(foreign),
            want="only files that create-pyproject made",
            fix="move them away, or --force to replace them",
        )
        raise KernelBuilderError("the project would replace files of yours", [problem])
    # What an earlier project had and this one has not.
    for name in sorted(set(record) - set(files)):
        if _is_ours(folder, name, record):
            (folder / name).unlink(missing_ok=True)
    written = []
    for name, text in files.items():
        path = folder / name
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        written.append(name)
    made = {name: _digest(text) for name, text in files.items()}
    (folder / RECORD).parent.mkdir(exist_ok=True)
    (folder / RECORD).write_text(json.dumps(made, indent=2, sort_keys=True) + "\n")
    return written


def remove_files(folder: Path) -> Removed:
    """Take away what was written and is as it was; folders that are empty then, too."""
    record = _read_record(folder)
    removed, changed = [], []
    for name in sorted(record):
        path = folder / name
        if not path.exists():
            continue
        if not _is_ours(folder, name, record):
            changed.append(name)
            continue
        path.unlink()
        removed.append(name)
    (folder / RECORD).unlink(missing_ok=True)
    for parent in {Path(RECORD).parent, *(Path(name).parent for name in removed)}:
        place = folder / parent
        if parent != Path() and place.is_dir() and not any(place.iterdir()):
            place.rmdir()
    return Removed(removed, changed)
