"""Servers on a free port of this machine."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any


class Answer(BaseHTTPRequestHandler):
    """Answers without a word on this machine's terminal."""

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass

    def answer(self, content: bytes, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


class Quiet(Answer, SimpleHTTPRequestHandler):
    """The files of a folder, which a shared cache may keep for long."""

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "max-age=1000000, public")
        super().end_headers()


@contextmanager
def serve_with(handler: Callable[..., BaseHTTPRequestHandler]) -> Iterator[str]:
    running = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    running.daemon_threads = True
    threading.Thread(target=running.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{running.server_port}"
    finally:
        running.shutdown()
        running.server_close()


@dataclass
class Server:
    root: Path
    url: str

    def put(self, path: str, content: bytes) -> str:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        return f"{self.url}/{path}"
