"""Sources that have an address of their own: Nix downloads files, and trees out of archives.

A tree is pinned by its content, so any archive of it is good. Nix unpacks, compares and adds it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Final
from urllib.parse import urlsplit

from kernel_builder import nix
from kernel_builder.nix.log import NixLog
from kernel_builder.sources.coordinates import Outcomes, Source

ARCHIVES: Final = "KERNEL_BUILDER_ARCHIVES"
ENDINGS: Final = (".tar.gz", ".tgz", ".tar.xz", ".tar.bz2", ".tar", ".zip")
DOWNLOADS_AT_ONCE: Final = 4
_ENDING: Final = re.compile(r"(\.tar\.\w+|\.tgz|\.tar|\.zip)$")
_OTHER_HASH: Final = re.compile(r"hash mismatch.*got: +(\S+)", re.DOTALL)


def fetch_files(sources: Sequence[Source], show: Callable[[NixLog], object]) -> Outcomes:
    """Let Nix download files in one call; return None for each, or why it cannot be had.

    `show` gets the log after each of its lines.
    """
    log = NixLog()

    def read(line: str) -> None:
        log.read(line)
        show(log)

    derivations = [source.derivation for source in sources]
    nix.realise(derivations, read, max_jobs=DOWNLOADS_AT_ONCE, options=nix.TIMEOUTS)
    invalid = nix.find_invalid([source.store_path for source in sources])
    return {
        source: _read_reason(source, log) if source.store_path in invalid else None
        for source in sources
    }


def _read_reason(source: Source, log: NixLog) -> str:
    lines = [line.removeprefix("error: ") for line in log.show_failure(source.derivation)]
    output = "\n".join(filter(str.strip, lines)) or "Nix does not say why"
    other = _OTHER_HASH.search(output)
    return f"{source.url} has another file, with the hash {other[1]}" if other else output


def fetch_archives(archives: Sequence[Source], place: str | None) -> Iterator[Outcomes]:
    """Add trees to the store; yield None for each, or the reason why it cannot be had.

    `place` is a folder of archives or the address of a mirror, by default what the variable says.
    """
    place = place or os.environ.get(ARCHIVES)
    for archive in archives:
        yield {archive: _fetch_archive(archive, place)}


def _fetch_archive(archive: Source, place: str | None) -> str | None:
    failures = []
    for url in [*_list_candidates(archive, place), archive.url]:
        log = NixLog()
        if nix.fetch_tree(url, archive.name, archive.sha256, log.read) == 0:
            return None
        failures += [error if url in error else f"{url}: {error}" for error in log.errors]
    return "\n".join(failures)


def _list_candidates(archive: Source, place: str | None) -> list[str]:
    """Return the addresses at which the user's folder or mirror has, or may have, an archive."""
    if not place:
        return []
    if "://" in place:
        # A mirror has a file at the path that it has on its host.
        return [place.rstrip("/") + urlsplit(archive.url).path]
    # A browser names the archive of a tag in one way, curl and `git archive` in others.
    names = [archive.file, PurePosixPath(urlsplit(archive.url).path).name]
    names += [f"{archive.repo}-{archive.rev}"] if archive.repo else []
    stems = dict.fromkeys(_ENDING.sub("", name) for name in names)
    files = [Path(place, stem + ending).absolute() for stem in stems for ending in ENDINGS]
    return [file.as_uri() for file in files if file.is_file()]
