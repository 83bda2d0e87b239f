"""Folders that are served on this machine."""

from __future__ import annotations

from dataclasses import dataclass
from http.server import SimpleHTTPRequestHandler
from pathlib import Path
from typing import Any


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass


@dataclass
class Server:
    """A folder that is served on this machine."""

    root: Path
    url: str

    def put(self, path: str, content: bytes) -> str:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        return f"{self.url}/{path}"
