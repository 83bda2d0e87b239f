"""Which of pip's indexes are dead, read from pip's own detailed output after a connection failed.

pip asks every index for every wheel, with retries. Without this, a machine that is cut off would
wait for a timeout per wheel, although a folder of wheels next to it may have them all.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from kernel_builder.sources.refusals import Refusal, unreachable

# What pip prints as soon as a connection fails.
NO_CONNECTION: Final = re.compile(r"connection broken by|Retrying \(|Failed to (establish|resolve)")
# Makes pip tell which places it asks, and which of them gave no answer.
TALK: Final = ("-vv", "--retries", "0", "--timeout", "4")

_LOCATION: Final = re.compile(r"^\* (\S+)$", re.MULTILINE)
_DEAD: Final = re.compile(
    r"^Could not fetch URL (https?://\S+): connection error: (.*?)( - skipping)?$", re.M
)
_WHY: Final = re.compile(r"\[Errno -?\d+\] ([^'\")]+)|(timed out)")


@dataclass(frozen=True)
class Indexes:
    """What pip looks in: hosts that are dead, whether others are alive, and local folders."""

    dead: Mapping[str, str]
    some_alive: bool
    folders: tuple[str, ...]
    has_links: bool

    @property
    def is_useless(self) -> bool:
        """Say whether nothing is left that pip could ask."""
        return not (self.some_alive or self.folders or self.has_links)

    def environment(self) -> dict[str, str]:
        """Return variables that keep pip to what is local, if all else is dead."""
        if self.some_alive:
            return {}
        if not self.folders:
            return {"PIP_NO_INDEX": "1"}
        return {"PIP_INDEX_URL": self.folders[0], "PIP_EXTRA_INDEX_URL": " ".join(self.folders)}

    def refuse(self) -> Refusal:
        """Return the refusal that names the dead hosts."""
        return unreachable(", ".join(self.dead), "; ".join(dict.fromkeys(self.dead.values())))


def look_at_indexes(said: str) -> Indexes | None:
    """Return the state of the indexes from what pip said under TALK; None if none is dead."""
    dead = {}
    for url, error, _ in _DEAD.findall(said):
        why = _WHY.search(error)
        dead[urlsplit(url).hostname or url] = (
            (why[1] or "no answer in time") if why else "no answer"
        )
    if not dead:
        return None
    locations = _LOCATION.findall(said)
    remote = {urlsplit(place).hostname for place in locations if place.startswith("http")}
    # A location is the index with the project behind it.
    folders = [re.sub(r"[^/]+/?$", "", place) for place in locations if place.startswith("file:")]
    return Indexes(dead, bool(remote - set(dead)), tuple(folders), "Looking in links: " in said)
