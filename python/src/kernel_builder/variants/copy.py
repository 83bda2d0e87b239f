"""Copies a built bundle to `build/`: each variant is the old one or the new one, whole.

All copies are made first, beside what they replace, so that a full disk changes nothing. Then they
are renamed. A variant comes last and is away until then, so that nobody sees it beside the list of
sources of another build. After a kill in between, the next copy puts the old one back.
"""

from __future__ import annotations

import filecmp
import shutil
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final

from kernel_builder.machine.files import FOLDER, alone_in, copy_file, find_below, require_kind
from kernel_builder.machine.tree import list_files
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.variants.result import METADATA, PROVENANCE, list_beside
from kernel_builder.variants.sandbox import STATES, write_states

NEW: Final = "new"
OLD: Final = "old"


@dataclass
class Copied:
    """Files written and removed, relative to the target."""

    written: list[str] = field(default_factory=list)
    unchanged: int = 0
    removed: list[str] = field(default_factory=list)
    # Variants of the target that the bundle does not have.
    others: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Part:
    """A file or folder that is replaced as one, with the names of its files that are the same."""

    name: str
    new: Set[str]
    old: Set[str]
    same: Set[str]


def copy_bundle(
    bundle: Path, target: Path, *, prune: bool, states: Mapping[str, str] = MappingProxyType({})
) -> Copied:
    """Make `target` hold what the bundle holds, writable, with the state of the sandbox beside.

    Within a variant, files that the bundle lacks are removed. Other variants stay unless `prune`
    is given, and all else in the target stays. Raises KernelBuilderError if the bundle, or what
    would be replaced, has a link or a special file.
    """
    try:
        for place in (target, target / PROVENANCE, target / STATES):
            require_kind(place, FOLDER)
        target.mkdir(exist_ok=True)
        with alone_in(target):
            return _copy(bundle, target, prune, states)
    except OSError as error:
        at = str(error.filename2 or error.filename or target)
        found = error.strerror or str(error)
        fix = f"see to that place; what was built is in {bundle}"
        problem = Problem(at, found, "a folder that can be written, on a disk with room", fix)
        raise KernelBuilderError(f"{target}: {found}", [problem]) from None


def _copy(bundle: Path, target: Path, prune: bool, states: Mapping[str, str]) -> Copied:
    done = Copied()
    names = _name_parts(list_files(bundle))
    for name in names:
        _put_back(find_below(target, name))
    parts = [_compare(bundle, target, name) for name in names]
    changed = [part for part in parts if not len(part.same) == len(part.new) == len(part.old)]
    for part in changed:
        # A signature would be that of another build.
        variant = part.name.removeprefix(f"{PROVENANCE}/").removesuffix(".cdx.json")
        for signature in list_beside(variant)[1:]:
            find_below(target, signature).unlink(missing_ok=True)
    _replace([part.name for part in changed], bundle, target)
    for part in parts:
        done.unchanged += len(part.same)
        done.written += sorted(_join(part.name, part.new - part.same))
        done.removed += sorted(_join(part.name, part.old - part.new))
    there = [file.parent.name for file in sorted(target.glob(f"*/{METADATA}"))]
    others = [name for name in there if name not in names]
    if prune:
        for name in others:
            _remove(target / name)
            for extra in (*list_beside(name), f"{STATES}/{name}"):
                find_below(target, extra).unlink(missing_ok=True)
        done.removed += others
    else:
        done.others = others
    write_states(target, states)
    return done


def _name_parts(files: Iterable[str]) -> list[str]:
    """Return the names of what is replaced as one: folders at the top, and each list of sources.

    Lists come first and variants last, as `_replace` wants them.
    """
    tops = {name if name.startswith(f"{PROVENANCE}/") else name.split("/")[0] for name in files}
    variants = {name.split("/")[0] for name in files if name.endswith(f"/{METADATA}")}
    return sorted(tops, key=lambda name: (name in variants, name))


def _compare(bundle: Path, target: Path, name: str) -> Part:
    place = find_below(target, name)
    new, old = _list(bundle / name), _list(place) if place.exists() else {}
    both = new.keys() & old.keys()
    same = {file for file in both if filecmp.cmp(new[file], old[file], shallow=False)}
    return Part(name, new.keys(), old.keys(), same)


def _list(place: Path) -> Mapping[str, Path]:
    return list_files(place) if place.is_dir() else {"": place}


def _join(name: str, files: Iterable[str]) -> list[str]:
    return [f"{name}/{file}".rstrip("/") for file in files]


def _beside(place: Path, age: str) -> Path:
    return place.with_name(f".{place.name}.{age}")


def _put_back(place: Path) -> None:
    """Undo half of a replacement that was killed, and remove what it left."""
    if _beside(place, OLD).exists() and not place.exists():
        _beside(place, OLD).rename(place)
    for age in (NEW, OLD):
        _remove(_beside(place, age))


def _replace(names: list[str], bundle: Path, target: Path) -> None:
    """Replace parts of the target together: an error leaves all of them as they were."""
    places = [target / name for name in names]
    try:
        for name, place in zip(names, places):
            for file, source in _list(bundle / name).items():
                copy = _beside(place, NEW) / file
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy_file(source, copy)
        for place in filter(Path.exists, reversed(places)):
            place.rename(_beside(place, OLD))
        for place in places:
            _beside(place, NEW).rename(place)
    except OSError:
        for place in places:
            if _beside(place, OLD).exists():
                _remove(place)
        raise
    finally:
        for place in places:
            _put_back(place)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
