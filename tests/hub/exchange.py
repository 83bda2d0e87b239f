"""Common data of the test server and its answers: faults on demand, its state, a request."""

import base64
import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.hub.repository import Repositories

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


@dataclass
class Hub:
    """The state of a server; tests look at it and set faults."""

    repositories: Repositories
    faults: Faults = field(default_factory=Faults)
    url: str = ""
    # The owners that each token may write for.
    tokens: dict[str, set[str]] = field(default_factory=dict)
    owners: set[str] = field(default_factory=lambda: {"org"})
    # Whether the owners are on the list of trusted publishers.
    are_owners_trusted: bool = True
    # Another address of this server, from which large files come; none: from where they are asked.
    storage: str = ""
    # By address of this server and path, the tokens that came along.
    logins: dict[tuple[str, str], str] = field(default_factory=dict)
    # A tree is listed in pages of this size.
    page: int = 1000


@dataclass
class Request:
    method: str
    path: str
    query: dict[str, list[str]]
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def token(self) -> str:
        kind, _, value = self.headers.get("authorization", "").partition(" ")
        return base64.b64decode(value).decode().partition(":")[2] if kind == "Basic" else value


@dataclass
class Answer:
    status: int = 200
    data: Any = None
    content: bytes | None = None
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def payload(self) -> bytes:
        return self.content if self.content is not None else json.dumps(self.data).encode()
