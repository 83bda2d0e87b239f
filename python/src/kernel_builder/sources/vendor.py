"""Files that have an address of their own: Nix fetches them, with its retries and its resuming.

A host that nothing is heard of is given up for the whole run: it costs one timeout, not one a file.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Sequence
from typing import Final
from urllib.parse import urlsplit

from kernel_builder import nix
from kernel_builder.nix.log import NixLog, Transfer
from kernel_builder.sources.coordinates import Archive, Source
from kernel_builder.sources.refusals import (
    Reason,
    Refusal,
    no_space,
    unreachable,
    wrong_hash,
    wrong_tree,
)

DOWNLOADS_AT_ONCE: Final = 4
# curl would wait for minutes.
TIMEOUT: Final = ("--option", "connect-timeout", "10")
# So often a host may fail to answer before the first byte has come from it.
FAILURES: Final = 2

# curl's numbers for: no such host or proxy, no connection, no answer in time, no handshake.
_UNREACHABLE = re.compile(r"unable to download '[^']*': (.+?) \((?:5|6|7|28|35|97)\)")
# For a transfer that ended too early, or in the middle of it.
_BROKEN_OFF = re.compile(r"unable to download '[^']*': (?:HTTP error 2|.+? \((?:18|52|55|56|92)\))")
_STATUS = re.compile(r"unable to download '([^']*)': HTTP error (\d+)(?: \('?([^')]*)'?\))?")
_HASHES = re.compile(r"hash mismatch.*got: +(\S+)", re.DOTALL)

Show = Callable[[Transfer], None]


def host_of(source: Source) -> str:
    """Return the host that has a source's address, without a login."""
    return urlsplit(source.url or "").netloc.rpartition("@")[2]


class Vendors:
    """The hosts of vendors, and which of them did not answer in this run."""

    def __init__(self) -> None:
        self._dead: dict[str, str] = {}
        self._lock = threading.Lock()

    def fetch(self, sources: Sequence[Source], show: Show) -> dict[Source, Refusal | None]:
        """Realise files of one host, or one tree; return why each cannot be had, or None."""
        host = host_of(sources[0])
        if not host:
            return dict.fromkeys(sources, _no_address())
        with self._lock:
            dead = self._dead.get(host)
        if dead:
            return dict.fromkeys(sources, unreachable(host, dead))
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

        first = sources[0]
        if isinstance(first, Archive):
            target = first.target
            nix.fetch_tree(first.url, target.name, target.sha256, read, options=TIMEOUT)
        else:
            derivations = [source.target.derivation for source in sources]
            nix.realise(derivations, read, max_jobs=DOWNLOADS_AT_ONCE, options=TIMEOUT)
        invalid = nix.find_invalid([source.target.store_path for source in sources])
        refused = {
            source: self._explain(log, source, host)
            if source.target.store_path in invalid
            else None
            for source in sources
        }
        if failures and not heard and all(refused.values()):
            with self._lock:
                self._dead[host] = failures[-1]
            return dict.fromkeys(sources, unreachable(host, failures[-1]))
        return refused

    def _explain(self, log: NixLog, source: Source, host: str) -> Refusal:
        if isinstance(source, Archive):
            said = "\n".join(log.errors)
            if "hash mismatch" in said:
                return wrong_tree(source.url, nix.hash_tree(source.url))
        else:
            said = "\n".join(log.show_failure(source.target.derivation))
        other = _HASHES.search(said)
        if other:
            return wrong_hash(source.url or host, other[1])
        if _BROKEN_OFF.search(said):
            return Refusal(Reason.OTHER, f"{host} broke the download off", "run this again")
        status = _STATUS.search(said)
        if status and status[2] in ("404", "410"):
            return Refusal(
                Reason.GONE,
                f"{host} no longer has {source.url} (status {status[2]})",
                "update kernel-builder, or pin a version that the server still has",
            )
        if status:
            why = f" ({status[3]})" if status[3] else ""
            return Refusal(
                Reason.OTHER,
                f"{host} answers with status {status[2]}{why}",
                "try again later; if a proxy answers in its place, let it allow this host",
            )
        if "No space left" in said:
            return no_space("/nix/store")
        dead = _UNREACHABLE.search(said)
        if dead:
            return unreachable(host, dead[1])
        return Refusal(
            Reason.OTHER, f"Nix does not get it: {said.strip() or 'it does not say why'}",
            "run this again",
        )  # fmt: skip


def _no_address() -> Refusal:
    return Refusal(Reason.GONE, "it has no address", "update kernel-builder")
