"""Copies a built bundle to where people look for it, touching only what has changed."""

from __future__ import annotations

import filecmp
import shutil
import stat
from dataclasses import dataclass, field
from pathlib import Path

from kernel_builder.build.result import METADATA


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
    target.mkdir(parents=True, exist_ok=True)
    for source in sorted(bundle.iterdir()):
        _copy(source, target / source.name, target, done)
    names = {source.name for source in bundle.iterdir()}
    for other in sorted(target.iterdir()):
        if other.name not in names and (other / METADATA).is_file():
            if prune:
                shutil.rmtree(other)
                done.removed.append(other.name)
            else:
                done.others.append(other.name)
    return done


def _copy(source: Path, copy: Path, target: Path, done: Copied) -> None:
    if source.is_dir():
        if copy.is_symlink() or (copy.exists() and not copy.is_dir()):
            copy.unlink()
        copy.mkdir(exist_ok=True)
        for name in sorted({child.name for child in copy.iterdir()}):
            if not (source / name).exists():
                _remove(copy / name)
                done.removed.append(str((copy / name).relative_to(target)))
        for child in sorted(source.iterdir()):
            _copy(child, copy / child.name, target, done)
        return
    if copy.is_file() and not copy.is_symlink() and filecmp.cmp(source, copy, shallow=False):
        done.unchanged += 1
        return
    if copy.is_symlink() or copy.exists():
        _remove(copy)
    # Under another name first: a program that has the old file loaded keeps it whole.
    temporary = copy.with_name(f".{copy.name}.new")
    shutil.copyfile(source, temporary)
    temporary.chmod(0o755 if source.stat().st_mode & stat.S_IXUSR else 0o644)
    temporary.replace(copy)
    done.written.append(str(copy.relative_to(target)))


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()
