"""Copies a built bundle to `build/`. A killed copy leaves the old files or the new ones.

Everything new is written into `.new` first, so a full disk changes nothing. Then the old folders
move to `.old` and the new ones take their places; variants are absent meanwhile, so that nobody
sees one beside the list of sources of another build. The next copy restores what is in `.old`.
"""

from __future__ import annotations

import filecmp
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

from kernel_builder.machine.files import FOLDER, alone_in, copy_file, find_below, require_kind
from kernel_builder.machine.tree import list_files
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.variants.result import METADATA, PROVENANCE, SIGNATURE
from kernel_builder.variants.sandbox import STATES, format_state

NEW, OLD, DONE = ".new", ".old", ".done"
# The folders that have a file or more for each variant, named after it.
SHARED: Final = (PROVENANCE, STATES)


@dataclass(frozen=True)
class CopyResult:
    """The names of what was copied, was there already and was removed, below `build/`.

    `others` are variants of earlier builds that stay.
    """

    copied: list[str]
    unchanged: list[str]
    removed: list[str]
    others: list[str]


def copy_build(
    bundle: Path,
    target: Path,
    *,
    prune: bool = False,
    states: Mapping[str, str] = MappingProxyType({}),
) -> CopyResult:
    """Copy the variants of `bundle`, and the files beside them, into the folder `target`.

    The copies are writable. Variants that the bundle lacks stay unless `prune` is set; other files
    always stay. `states` has the state of the sandbox of each variant, which is recorded beside it.
    Raises KernelBuilderError if a disk is full, if the bundle has anything but regular files and
    folders, or if something else would be replaced.
    """
    try:
        require_kind(target, FOLDER)
        target.mkdir(exist_ok=True)
        with alone_in(target):
            _restore(target)
            try:
                return _replace(bundle, target, prune, states)
            finally:
                _restore(target)
    except OSError as error:
        at = str(error.filename2 or error.filename or target)
        found = error.strerror or str(error)
        fix = f"free or repair that place; what was built is in {bundle}"
        problem = Problem(at, found, "a folder that can be written, on a disk with room", fix)
        raise KernelBuilderError(f"{target}: {found}", [problem]) from None


def _replace(bundle: Path, target: Path, prune: bool, states: Mapping[str, str]) -> CopyResult:
    files = list_files(bundle)
    parts = {name.split("/")[0] for name in files} - {*SHARED}
    variants = {name for name in parts if f"{name}/{METADATA}" in files}
    others = {file.parent.name for file in target.glob(f"*/{METADATA}")} - variants
    same = {name for name in parts if _is_same(bundle / name, find_below(target, name))}
    same &= {name for name in parts if name not in variants or _has_same_list(bundle, target, name)}
    new, old = find_below(target, NEW), find_below(target, OLD)
    new.mkdir()
    for name, file in files.items():
        top = name.split("/")[0]
        if top not in same:
            _copy(file, new / name)
    # The lists, signatures and states of variants that stay as they are.
    kept = (same & variants) | (set() if prune else others)
    for folder in SHARED:
        place = find_below(target, folder)
        for name, file in (list_files(place) if place.exists() else {}).items():
            if name.split(".")[0] in kept and not (new / folder / name).exists():
                _copy(file, new / folder / name)
    for name in states.keys() & variants:
        state = new / STATES / name
        state.parent.mkdir(exist_ok=True)
        state.write_text(format_state(states[name], bundle / name))
    removed = others if prune else set()
    coming = sorted(each.name for each in new.iterdir())
    going = removed | {name for name in {*coming, *SHARED} if (target / name).exists()}
    old.mkdir()
    for name in sorted(going, key=lambda name: name not in variants):
        (target / name).rename(old / name)
    for name in sorted(coming, key=lambda name: name in variants):
        (new / name).rename(target / name)
    old.rename(target / DONE)
    return CopyResult(sorted(parts - same), sorted(same), sorted(removed), sorted(others - removed))


def _restore(target: Path) -> None:
    """Undo a copy that has not come to its end, and remove what it has left."""
    old = find_below(target, OLD)
    for part in old.iterdir() if old.exists() else ():
        _remove(target / part.name)
        part.rename(target / part.name)
    for name in (OLD, NEW, DONE):
        _remove(find_below(target, name))


def _is_same(new: Path, old: Path) -> bool:
    """Return whether two files or folders are the same. A signature comes after the build."""
    if not (new.is_dir() and old.is_dir()):
        return new.is_file() and old.is_file() and filecmp.cmp(new, old, shallow=False)
    ours, theirs = list_files(new), list_files(old)
    theirs.pop(SIGNATURE, None)
    return ours.keys() == theirs.keys() and all(
        filecmp.cmp(ours[name], theirs[name], shallow=False) for name in ours
    )


def _has_same_list(bundle: Path, target: Path, variant: str) -> bool:
    name = f"{PROVENANCE}/{variant}.cdx.json"
    return not (bundle / name).exists() or _is_same(bundle / name, find_below(target, name))


def _copy(source: Path, place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    copy_file(source, place)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
