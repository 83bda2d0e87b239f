"""Copies a built bundle to `build/`. A killed copy leaves no variant that is half old, half new.

Everything new is written into `.new` first, so a full disk changes nothing. Then the old folders
move to `.old` and the new ones take their places; variants are absent meanwhile, so that nobody
sees one beside the list of sources of another build.
"""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from kernel_builder.machine import files
from kernel_builder.messages.errors import KernelBuilderError, Problem, shorten
from kernel_builder.variants import result
from kernel_builder.variants.sandbox import UNKNOWN, find_states, format_state

NEW, OLD = ".new", ".old"
# The folders that have a file or more for each variant, named after it.
SHARED: Final = (result.PROVENANCE, result.STATES, result.FINDINGS)


class CopyResult(NamedTuple):
    """The names of what was copied, was there already and was removed, below `build/`.

    `others` are variants of earlier builds that stay. `sandbox` has the state of each variant.
    """

    copied: list[str]
    unchanged: list[str]
    removed: list[str]
    others: list[str]
    sandbox: Mapping[str, str]


def copy_bundle(bundle: Path, target: Path, *, prune: bool = False) -> CopyResult:
    """Copy the variants of `bundle`, and the files beside them, into the folder `target`.

    The copies are writable. Variants that the bundle lacks stay unless `prune` is set; other files
    always stay. The states of the sandbox are recorded beside the variants. Raises
    KernelBuilderError if a disk is full, if the bundle has anything but regular files and folders,
    or if something else would be replaced.
    """
    try:
        files.require_kind(target, files.FOLDER)
        target.mkdir(exist_ok=True)
        with files.lock_folder(target):
            _clear(target)
            try:
                return _replace(bundle, target, prune)
            finally:
                _clear(target)
    except OSError as error:
        at = str(error.filename2 or error.filename or target)
        found = error.strerror or str(error)
        fix = f"free or repair that place; what was built is in {bundle}"
        problem = Problem(at, found, "a folder that can be written, on a disk with room", fix)
        raise KernelBuilderError(f"{target}: {found}", [problem]) from None


def _replace(bundle: Path, target: Path, prune: bool) -> CopyResult:
    bundled = files.list_files(bundle)
    parts = {name.split("/")[0] for name in bundled} - {*SHARED}
    variants = {name for name in parts if f"{name}/{result.METADATA}" in bundled}
    others = {file.parent.name for file in target.glob(f"*/{result.METADATA}")} - variants
    _require_whole(bundle, sorted(variants))
    same = {part for part in parts if _is_same(bundle, target, part)}
    removed = others if prune else set()
    found = find_states({name: bundle.resolve() / name for name in variants})
    states = {name: each.state for name, each in found.items()}
    new, old = files.find_below(target, NEW), files.find_below(target, OLD)
    for name, file in bundled.items():
        if name.split("/")[0] not in same:
            (new / name).parent.mkdir(parents=True, exist_ok=True)
            files.copy_file(file, new / name)
    for variant, state in states.items():
        if state != UNKNOWN:
            record = format_state(state, bundle / variant).encode()
            files.write_below(new, f"{result.STATES}/{variant}", record)
    # What others have put there stays, as do signatures of variants that are the same.
    gone = [path for name in removed | (variants - same) for path in result.list_own(name)]
    extras = [files.find_below(target, path) for path in (*gone, f"{result.FINDINGS}/all.json")]
    for path in extras:
        files.require_kind(path, files.FILE)
    for folder in (each for each in SHARED if (new / each).exists()):
        files.find_below(target, folder).mkdir(exist_ok=True)
    old.mkdir()
    for name in removed | {part for part in parts - same if (target / part).exists()}:
        (target / name).rename(old / name)
    for path in extras:
        path.unlink(missing_ok=True)
    for folder in SHARED:
        for name, file in _list_files(new, folder).items():
            file.replace(target / name)
    for part in sorted(parts - same, key=lambda part: part in variants):
        (new / part).rename(target / part)
    changed, stale = sorted(parts - same), sorted(others - removed)
    return CopyResult(changed, sorted(same), sorted(removed), stale, states)


def _require_whole(bundle: Path, variants: Sequence[str]) -> None:
    """Refuse a build whose files in the store are damaged: Nix takes a path there for right."""
    path = bundle.resolve()
    want = f"the files that {result.METADATA} states with their hashes"
    fix = f"nix-store --repair-path {path}"
    stated = [each for each in variants if result.read_digests(result.read_metadata(path / each))]
    edits = {f"{path}/{each}": shorten(result.find_edits(path / each)) for each in stated}
    if problems := [Problem(at, ", ".join(edits[at]), want, fix) for at in edits if edits[at]]:
        raise KernelBuilderError("files are missing, changed or new in what was built", problems)


def _clear(target: Path) -> None:
    """Remove the folders that a copy works with, also those of one that was killed."""
    for folder in (files.find_below(target, name) for name in (OLD, NEW)):
        if folder.exists():
            shutil.rmtree(folder)


def _is_same(bundle: Path, target: Path, part: str) -> bool:
    """Say whether a part and its list of sources are there, apart from signatures made later."""

    def read(root: Path) -> dict[str, str]:
        found = _list_files(root, part) | _list_files(root, result.list_records(part)[0])
        kept = [name for name, file in found.items() if file.name != result.SIGNATURE]
        return {name: files.hash_file(found[name]) for name in kept}

    return read(bundle) == read(target)


def _list_files(root: Path, name: str) -> dict[str, Path]:
    """Return a file, or the files of a folder, by their paths below `root`."""
    place = files.find_below(root, name)
    if place.is_dir():
        return {f"{name}/{below}": file for below, file in files.list_files(place).items()}
    return {name: place} if place.exists() else {}
