"""Common data of the test server and its answers: its state, a request, an answer."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass, field
from typing import Any

from tests.hub.faults import Faults
from tests.hub.repository import Repositories


@dataclass
class Hub:
    """The state of a server; tests look at it and set faults."""

    repositories: Repositories
    faults: Faults = field(default_factory=Faults)
    url: str = ""
    # Who may write where: the owners that a token may write for.
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
    """A request, taken apart."""

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
    """The answer to a request."""

    status: int = 200
    data: Any = None
    content: bytes | None = None
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def payload(self) -> bytes:
        return self.content if self.content is not None else json.dumps(self.data).encode()
