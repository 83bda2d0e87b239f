"""Trees of sources, out of a folder or a mirror that the user names.

A tree is pinned by what is in it, so any archive of it will do, the tree itself, or a git
repository that has its tag or commit. Nix unpacks, compares, and adds it to the store.
"""

from __future__ import annotations

import os
import re
import tarfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Final
from urllib.parse import urlsplit

from kernel_builder import nix
from kernel_builder.machine.process import MissingProgramError, run
from kernel_builder.nix.log import NixLog, Transfer
from kernel_builder.sources.coordinates import Archive
from kernel_builder.sources.refusals import Ends, Refusal, no_space, wrong_tree
from kernel_builder.sources.vendor import fetch_from_host

VARIABLE: Final = "KERNEL_BUILDER_ARCHIVES"
ENDINGS: Final = (".tar.gz", ".tgz", ".tar.xz", ".tar.bz2", ".tar", ".zip")

_ENDING: Final = re.compile(r"(\.tar\.\w+|\.tgz|\.tar|\.zip)$")


def fetch_archives(
    archives: Sequence[Archive],
    place: str | None,
    folder: Path,
    show: Callable[[Transfer], None],
) -> Iterator[Ends]:
    """Put trees from the user's place into the store; yield why each cannot be had, or None.

    The place is a folder, or the address of a mirror.
    """
    place = place or os.environ.get(VARIABLE) or None
    if place and "://" in place:
        # A mirror has a file at the path that it has on its host.
        mirror = place.rstrip("/")
        there = {replace(each, url=mirror + urlsplit(each.url).path): each for each in archives}
        for ends in fetch_from_host(list(there), show):
            yield {
                archive: ends[mirrored] for mirrored, archive in there.items() if mirrored in ends
            }
        return
    for archive in archives:
        yield {archive: _fetch(archive, place, folder)}


def _fetch(archive: Archive, place: str | None, folder: Path) -> Refusal | None:
    if place is None:
        return _absent(archive, f"no folder with {archive.file} is given (--archives)", "DIR")
    others = []
    for origin, packed in _find(archive, Path(place), folder):
        refusal = _add(archive, origin, packed)
        if refusal is None:
            return None
        others.append(refusal)
    if others:
        return others[0]
    names = ", ".join(f"{stem}{ENDINGS[0]}" for stem in _stems(archive))
    return _absent(archive, f"{place} has no {names}", place)


def _add(archive: Archive, origin: object, packed: Path) -> Refusal | None:
    log = NixLog()

    def read(line: str) -> bool:
        log.read(line)
        return True

    url = packed.absolute().as_uri()
    if nix.fetch_tree(url, archive.name, archive.sha256, read) == 0:
        return None
    said = "; ".join(log.errors)
    if "hash mismatch" in said:
        return wrong_tree(str(origin), nix.hash_tree(url))
    if "No space left" in said:
        return no_space("/nix/store")
    return Refusal(f"{origin} cannot be unpacked: {said}", "bring the whole archive")


def _find(archive: Archive, place: Path, folder: Path) -> Iterator[tuple[object, Path]]:
    """Yield what may hold a tree, each with an archive of it."""
    names = _stems(archive)
    for file in (place / f"{name}{ending}" for name in names for ending in ENDINGS):
        if file.is_file():
            yield file, file
    repositories = (archive.repo, f"{archive.repo}.git") if archive.repo else ()
    for tree in (place / name for name in (*names, *repositories)):
        packed = folder / f"{tree.name}.tar"
        if (tree / ".git").exists() or (tree / "HEAD").is_file():
            if archive.rev and _pack_commit(tree, archive.rev, packed):
                yield f"{tree} at {archive.rev}", packed
        elif tree.is_dir():
            with tarfile.open(packed, "w") as opened:
                opened.add(tree.resolve(), "tree")
            yield tree, packed


def _stems(archive: Archive) -> list[str]:
    """Return what an archive may be called, without an ending: first as a browser names it."""
    named = [archive.file, PurePosixPath(urlsplit(archive.url).path).name]
    more = [f"{archive.repo}-{archive.rev}"] if archive.repo else []
    return list(dict.fromkeys([*(_ENDING.sub("", name) for name in named), *more]))


def _pack_commit(repository: Path, rev: str, packed: Path) -> bool:
    """Write the archive of a tag or commit, as GitHub does; False if it is not there."""
    argv = ["git", "-C", str(repository), "archive", "--prefix=tree/", f"--output={packed}", rev]
    try:
        return run(argv).status == 0
    except MissingProgramError:
        return False


def _absent(archive: Archive, found: str, place: str) -> Refusal:
    again = "" if place != "DIR" else ", and add --archives DIR"
    return Refusal(found, f"bring {archive.url} as {place.rstrip('/')}/{archive.file}{again}")
