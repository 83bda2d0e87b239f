"""Faults between a client and the Hub, on demand."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

# Each breaks one request; those with `after` break it when it has already had its effect.
KINDS = (
    "cut before",
    "cut after",
    "429",
    "500 before",
    "500 after",
    "slow",
    "half of it",
    "wrong sha",
    "killed before",
    "killed after",
)


@dataclass(frozen=True)
class Fault:
    """Breaks the request with this number, counted from 1; `times` in a row."""

    kind: str
    at: int
    times: int = 1

    def hits(self, number: int) -> bool:
        return self.at <= number < self.at + self.times


@dataclass
class Faults:
    """The faults of a server, and what it was asked."""

    planned: list[Fault] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    # Ends the client, for faults in which it is killed.
    kill: Callable[[], None] = lambda: None
    # Called with each request before it is answered: what somebody else does in between.
    meanwhile: Callable[[str], None] = lambda request: None  # noqa: ARG005
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def begin(self, request: str) -> Fault | None:
        """Note a request; return the fault that it meets."""
        with self._lock:
            self.requests.append(request)
            number = len(self.requests)
        self.meanwhile(request)
        return next((fault for fault in self.planned if fault.hits(number)), None)

    def reset(self, *planned: Fault) -> None:
        """Count from 1 again, with these faults."""
        with self._lock:
            self.planned = list(planned)
            self.requests = []
