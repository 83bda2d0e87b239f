"""Copies a built bundle to where people look for it, touching only what has changed.

A folder of the bundle, such as a variant, is made whole beside the old one and then takes its
place: with a full disk, or broken off, the old one stays as it was.
"""

from __future__ import annotations

import filecmp
import os
import shutil
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from types import MappingProxyType

from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.variants.result import METADATA
from kernel_builder.variants.sandbox import withdraw_states, write_states


@dataclass
class Copied:
    """What became of the files, relative to the target."""

    written: list[str] = field(default_factory=list)
    unchanged: int = 0
    removed: list[str] = field(default_factory=list)
    # Variants that were there and are not in the bundle.
    others: list[str] = field(default_factory=list)


def copy_bundle(
    bundle: Path, target: Path, *, prune: bool, states: Mapping[str, str] = MappingProxyType({})
) -> Copied:
    """Make `target` hold what the bundle holds, writable, and say whether the sandbox was on.

    Within a folder of the bundle, files that it does not have are removed: a variant with a
    file too many is none. Other variants stay unless `prune` is given; whatever else lies in
    the target is not looked at.
    """
    done = Copied()
    try:
        target.mkdir(parents=True, exist_ok=True)
        withdraw_states(target, states)
        names = sorted(source.name for source in bundle.iterdir())
        for name in names:
            _replace(bundle / name, target / name, done)
        for other in sorted(target.iterdir()):
            if other.name not in names and (other / METADATA).is_file():
                if prune:
                    shutil.rmtree(other)
                    done.removed.append(other.name)
                else:
                    done.others.append(other.name)
        write_states(target, states)
        # The newest of what was built is what is uploaded.
        os.utime(target)
    except OSError as error:
        at = str(error.filename2 or error.filename or target)
        found = error.strerror or str(error)
        fix = f"see to that place; what was built is in {bundle}"
        problem = Problem(at, found, "a folder that can be written, on a disk with room", fix)
        raise KernelBuilderError(f"{target}: {found}", [problem]) from None
    return done


def _replace(source: Path, copy: Path, done: Copied) -> None:
    """Put a file or a folder in the place of what is there, if that differs."""
    new, old = (copy.with_name(f".{copy.name}.{which}") for which in ("new", "old"))
    if old.exists() and not copy.exists():
        # It was killed between the two.
        old.rename(copy)
    for path in (new, old):
        _remove(path)
    files, there = _list_files(source, follow=True), _list_files(copy, follow=False)
    same = {
        name
        for name in set(files) & set(there)
        if not there[name].is_symlink() and filecmp.cmp(files[name], there[name], shallow=False)
    }
    done.unchanged += len(same)
    if len(same) == len(files) == len(there):
        return
    try:
        for name, file in files.items():
            (new / name).parent.mkdir(parents=True, exist_ok=True)
            _bring(there[name] if name in same else file, new / name, link=name in same)
        if there or copy.exists():
            copy.rename(old)
        try:
            new.rename(copy)
        except OSError:
            if old.exists():
                old.rename(copy)
            raise
    finally:
        # Also what a full disk has left half done.
        _remove(new)
    _remove(old)
    done.written += [str(copy.name / name) for name in sorted(set(files) - same)]
    done.removed += [str(copy.name / name) for name in sorted(set(there) - set(files))]


def _bring(source: Path, place: Path, *, link: bool) -> None:
    if link:
        try:
            # Whoever has a file loaded keeps it.
            os.link(source, place)
            return
        except OSError:
            pass
    shutil.copyfile(source, place)
    place.chmod(0o755 if source.stat().st_mode & stat.S_IXUSR else 0o644)


def _list_files(place: Path, *, follow: bool) -> dict[PurePath, Path]:
    """Return the files at a place by their names below it; a link may be one of them."""
    if place.is_dir() and (follow or not place.is_symlink()):
        below = {path: _list_files(path, follow=follow) for path in place.iterdir()}
        return {path.name / name: file for path in below for name, file in below[path].items()}
    return {PurePath(): place} if place.is_symlink() or place.exists() else {}


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
