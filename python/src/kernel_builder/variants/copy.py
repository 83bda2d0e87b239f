"""Copies a built bundle to where people look for it, touching only what has changed.

A folder of the bundle, such as a variant, is made whole beside the old one and then takes its
place: with a full disk, or broken off, the old one stays as it was.
"""

from __future__ import annotations

import filecmp
import os
import shutil
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.variants.result import METADATA


@dataclass
class Copied:
    """What became of the files, relative to the target."""

    written: list[str] = field(default_factory=list)
    unchanged: int = 0
    removed: list[str] = field(default_factory=list)
    # Variants that were there and are not in the bundle.
    others: list[str] = field(default_factory=list)


def copy_bundle(bundle: Path, target: Path, *, prune: bool) -> Copied:
    """Make `target` hold what the bundle holds, writable.

    Within a folder of the bundle, files that it does not have are removed: a variant with a
    file too many is none. Other variants stay unless `prune` is given; whatever else lies in
    the target is not looked at.
    """
    done = Copied()
    try:
        target.mkdir(parents=True, exist_ok=True)
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
    root = copy.parent
    there: dict[str, Path] = {}
    if source.is_dir():
        files = _list_files(source, follow=True)
        if copy.is_dir() and not copy.is_symlink():
            there = _list_files(copy, follow=False)
    else:
        files = {"": source}
        there = {"": copy} if copy.is_file() else {}
    same = {
        name
        for name, file in files.items()
        if name in there
        and not there[name].is_symlink()
        and filecmp.cmp(file, there[name], shallow=False)
    }
    stale = sorted(set(there) - set(files))
    done.unchanged += len(same)
    if len(same) == len(files) == len(there):
        return
    new, old = root / f".{copy.name}.new", root / f".{copy.name}.old"
    for path in (new, old):
        _remove(path)
    try:
        for name, file in files.items():
            place = new / name if name else new
            place.parent.mkdir(parents=True, exist_ok=True)
            _bring(there[name] if name in same else file, place, link=name in same)
        if copy.is_symlink() or copy.exists():
            copy.rename(old)
        new.rename(copy)
    finally:
        # Also what a full disk has left half done.
        _remove(new)
    _remove(old)
    relative = copy.relative_to(root)
    done.written += [str(relative / name) for name in sorted(files) if name not in same]
    done.removed += [str(relative / name) for name in stale]


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


def _list_files(folder: Path, *, follow: bool) -> dict[str, Path]:
    """Return the files below a folder by their names in it; a link may be one of them."""

    def walk(place: Path) -> Iterator[Path]:
        for path in sorted(place.iterdir()):
            if path.is_dir() and (follow or not path.is_symlink()):
                yield from walk(path)
            else:
                yield path

    return {path.relative_to(folder).as_posix(): path for path in walk(folder)}


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
