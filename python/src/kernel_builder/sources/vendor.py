"""Files that have an address of their own: Nix fetches them, with its retries and its resuming."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final
from urllib.parse import urlsplit

from kernel_builder import nix
from kernel_builder.nix.log import NixLog, Transfer
from kernel_builder.sources.coordinates import Archive, Source
from kernel_builder.sources.refusals import (
    Ends,
    Refusal,
    no_space,
    unreachable,
    wrong_hash,
    wrong_tree,
)

DOWNLOADS_AT_ONCE: Final = 4
# curl would wait for minutes, and Nix for five of them.
TIMEOUT: Final = (
    *("--option", "connect-timeout", "10"),
    *("--option", "stalled-download-timeout", "60"),
)
# So often a host may fail to answer before the first byte has come from it.
FAILURES: Final = 2

# curl's numbers for: no such host or proxy, no connection, no answer in time, no handshake.
_UNREACHABLE = re.compile(r"unable to download '[^']*': (.+?) \((?:5|6|7|28|35|97)\)")
# For a transfer that ended too early, or in the middle of it.
_BROKEN_OFF = re.compile(r"unable to download '[^']*': (?:HTTP error 2|.+? \((?:18|52|55|56|92)\))")
_STATUS = re.compile(r"unable to download '([^']*)': HTTP error (\d+)(?: \('?([^')]*)'?\))?")
_HASHES = re.compile(r"hash mismatch.*got: +(\S+)", re.DOTALL)


def host_of(source: Source) -> str:
    """Return the host that has a source's address, without a login."""
    return urlsplit(source.url or "").netloc.rpartition("@")[2]


def fetch_from_host(sources: Sequence[Source], show: Callable[[Transfer], None]) -> Iterator[Ends]:
    """Get sources of one host, files in one call; yield why each cannot be had, or None.

    A host that nothing is heard of is given up: it costs one timeout, not one a source.
    """
    trees = [source for source in sources if isinstance(source, Archive)]
    files = [source for source in sources if not isinstance(source, Archive)]
    dead: Refusal | None = None
    calls: list[Sequence[Source]] = [files, *([tree] for tree in trees)]
    for some in calls:
        if some and not dead:
            ends, dead = _fetch(some, show)
            yield ends
        elif some:
            yield dict.fromkeys(some, dead)


def _fetch(
    sources: Sequence[Source], show: Callable[[Transfer], None]
) -> tuple[Ends, Refusal | None]:
    """Get files or one tree; return how they ended, and the refusal of all if the host is dead."""
    first = sources[0]
    host = host_of(first)
    log = NixLog()
    failures: list[str] = []
    heard = False

    def read(line: str) -> bool:
        nonlocal heard
        log.read(line)
        for transfer in log.transfers.values():
            heard = heard or transfer.done > 0
            show(transfer)
        failures[:] = [why for said in log.warnings for why in _UNREACHABLE.findall(said)]
        return heard or len(failures) < FAILURES

    if isinstance(first, Archive):
        nix.fetch_tree(first.url, first.name, first.sha256, read, options=TIMEOUT)
    else:
        derivations = [source.derivation for source in sources]
        nix.realise(derivations, read, max_jobs=DOWNLOADS_AT_ONCE, options=TIMEOUT)
    invalid = nix.find_invalid([source.store_path for source in sources])
    if failures and not heard and len(invalid) == len(sources):
        dead = unreachable(host, failures[-1])
        return dict.fromkeys(sources, dead), dead
    return {
        source: _explain(log, source, host) if source.store_path in invalid else None
        for source in sources
    }, None


def _explain(log: NixLog, source: Source, host: str) -> Refusal:
    if isinstance(source, Archive):
        said = "\n".join(log.errors)
        if "hash mismatch" in said:
            return wrong_tree(source.url, nix.hash_tree(source.url))
    else:
        said = "\n".join(log.show_failure(source.derivation))
    if other := _HASHES.search(said):
        return wrong_hash(source, source.url or host, other[1])
    if _BROKEN_OFF.search(said):
        return Refusal(f"{host} broke the download off", "run this again")
    status = _STATUS.search(said)
    if status and status[2] in ("404", "410"):
        return Refusal(
            f"{host} no longer has {source.url} (status {status[2]})",
            "update kernel-builder, or pin a version that the server still has",
        )
    if status:
        why = f" ({status[3]})" if status[3] else ""
        return Refusal(
            f"{host} answers with status {status[2]}{why}",
            "try again later; if a proxy answers in its place, let it allow this host",
        )
    if "No space left" in said:
        return no_space("/nix/store")
    if dead := _UNREACHABLE.search(said):
        return unreachable(host, dead[1])
    why = said.strip() or "it does not say why"
    return Refusal(f"Nix does not get it: {why}", "run this again")
