"""Trees of sources, out of archives in a folder, or on a mirror, that the user names.

A tree is pinned by what is in it, so any archive of it will do. Nix unpacks, compares, and adds it
to the store.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Final
from urllib.parse import urlsplit

from kernel_builder import nix
from kernel_builder.messages.names import join
from kernel_builder.nix.log import NixLog, Transfer
from kernel_builder.sources.coordinates import Archive
from kernel_builder.sources.refusals import Ends, Refusal, no_space, wrong_tree
from kernel_builder.sources.vendor import fetch_from_host

VARIABLE: Final = "KERNEL_BUILDER_ARCHIVES"
ENDINGS: Final = (".tar.gz", ".tgz", ".tar.xz", ".tar.bz2", ".tar", ".zip")

_ENDING: Final = re.compile(r"(\.tar\.\w+|\.tgz|\.tar|\.zip)$")


def fetch_archives(
    archives: Sequence[Archive], place: str | None, show: Callable[[Transfer], None]
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
        yield {archive: _fetch(archive, place)}


def _fetch(archive: Archive, place: str | None) -> Refusal | None:
    if place is None:
        return _absent(archive, f"no folder with {archive.file} is given (--archives)", "DIR")
    names = _stems(archive)
    files = [Path(place, f"{name}{ending}") for name in names for ending in ENDINGS]
    refusals = []
    for file in filter(Path.is_file, files):
        refusal = _add(archive, file)
        if refusal is None:
            return None
        refusals.append(refusal)
    if refusals:
        found, fix = "\n".join(each.found for each in refusals), refusals[0].fix
        return Refusal(found, fix)
    repositories = (archive.repo, f"{archive.repo}.git") if archive.repo else ()
    trees = (Path(place, name) for name in (*names, *repositories))
    if tree := next(filter(Path.is_dir, trees), None):
        return _not_packed(archive, tree, Path(place))
    return _absent(archive, f"{place} has no {', '.join(f'{n}{ENDINGS[0]}' for n in names)}", place)


def _add(archive: Archive, packed: Path) -> Refusal | None:
    log = NixLog()

    def read(line: str) -> bool:
        log.read(line)
        return True

    url = packed.absolute().as_uri()
    if nix.fetch_tree(url, archive.name, archive.sha256, read) == 0:
        return None
    said = "; ".join(log.errors)
    if "hash mismatch" in said:
        return wrong_tree(str(packed), nix.hash_tree(url))
    if "No space left" in said:
        return no_space("/nix/store")
    return Refusal(f"{packed} cannot be unpacked: {said}", "bring the whole archive")


def _not_packed(archive: Archive, tree: Path, place: Path) -> Refusal:
    """Return the refusal of a folder or a repository, with the commands that add its tree."""
    packed = (place / archive.file).absolute()
    if (tree / ".git").exists() or (tree / "HEAD").is_file():
        kind = "a git repository"
        words = ["git", "-C", str(tree), "archive", "--prefix=source/", f"--output={packed}"]
        pack = join([*words, archive.rev or "HEAD"])
    else:
        kind = "a folder of sources"
        words = ["tar", "-C", str(tree.absolute().parent), f"--file={packed}", "--auto-compress"]
        pack = join([*words, "-c", tree.name])
    words = ["--unpack", "--name", archive.name, "--type", "sha256", packed.as_uri()]
    add = f"nix-prefetch-url {join([*words, archive.sha256])}"
    return Refusal(
        f"{tree} is {kind}; only archives are read", f"pack it: {pack}\nand add it: {add}"
    )


def _stems(archive: Archive) -> list[str]:
    """Return what an archive may be called, without an ending: first as a browser names it."""
    named = [archive.file, PurePosixPath(urlsplit(archive.url).path).name]
    more = [f"{archive.repo}-{archive.rev}"] if archive.repo else []
    return list(dict.fromkeys([*(_ENDING.sub("", name) for name in named), *more]))


def _absent(archive: Archive, found: str, place: str) -> Refusal:
    again = "" if place != "DIR" else ", and add --archives DIR"
    return Refusal(found, f"bring {archive.url} as {place.rstrip('/')}/{archive.file}{again}")
