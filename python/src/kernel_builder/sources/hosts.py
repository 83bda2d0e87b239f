"""Which hosts did not answer in this run, so that a dead one costs one timeout and no more."""

from __future__ import annotations

import socket
import threading
import urllib.request
from typing import Final
from urllib.parse import urlsplit

PROBE_SECONDS: Final = 4.0
_PORTS: Final = {"http": 80, "https": 443}


class Hosts:
    """A memory of dead hosts that threads share."""

    def __init__(self) -> None:
        self._dead: dict[str, str] = {}
        self._lock = threading.Lock()

    def find_dead(self, host: str) -> str | None:
        """Return why the host is known to be dead, or None."""
        with self._lock:
            return self._dead.get(host)

    def mark_dead(self, host: str, why: str) -> None:
        """Remember a host that did not answer."""
        with self._lock:
            self._dead.setdefault(host, why)


def probe(url: str) -> str | None:
    """Return why nothing listens behind an address (or its proxy), or None if something does."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    proxy = urllib.request.getproxies().get(parts.scheme)
    if proxy and not urllib.request.proxy_bypass(host):
        parts = urlsplit(proxy if "//" in proxy else f"//{proxy}", scheme="http")
    place = (parts.hostname or "", parts.port or _PORTS.get(parts.scheme, 443))
    try:
        socket.create_connection(place, timeout=PROBE_SECONDS).close()
    except OSError as error:
        return explain(error)
    return None


def explain(error: object) -> str:
    """Return a network error without Python's decoration."""
    if isinstance(error, (socket.timeout, TimeoutError)):
        return "no answer in time"
    return getattr(error, "strerror", None) or str(error)
