"""A small Hub: answers what `huggingface_hub` and `kernels` ask when they upload and download.

Only on this machine's own address, only for kernels and datasets, with repositories in a folder.
"""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from tests.hub import routes
from tests.hub.exchange import Answer, Fault, Hub, Request
from tests.hub.repository import Repositories

SLOW = 0.3


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Head and body leave together; otherwise each answer waits for the client's acknowledgement.
    wbufsize = -1
    disable_nagle_algorithm = True
    hub: Hub

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass

    def _read(self) -> Request:
        parts = urlsplit(self.path)
        if self.headers.get("Transfer-Encoding") == "chunked":
            body = b"".join(self._chunks())
        else:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        return Request(self.command, unquote(parts.path), parse_qs(parts.query), headers, body)

    def _chunks(self) -> Iterator[bytes]:
        while size := int(self.rfile.readline(), 16):
            yield self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()

    def _serve(self) -> None:
        request = self._read()
        self.hub.logins[request.headers.get("host", ""), request.path] = request.token
        fault = self.hub.faults.begin(f"{request.method} {request.path}")
        if fault and self._break_before(fault):
            return
        if fault and fault.kind == "wrong sha":
            request.body = request.body[::-1] if request.method == "PUT" else request.body
        answer = routes.answer(self.hub, request)
        if fault and fault.kind == "half of it":
            answer.content = answer.payload[: len(answer.payload) // 2]
        if fault and fault.kind.endswith(" after"):
            if fault.kind == "500 after":
                self._send(Answer(500, {"error": "it broke"}))
                return
            if fault.kind == "killed after":
                self.hub.faults.kill()
            self._cut()
            return
        self._send(answer)

    def _break_before(self, fault: Fault) -> bool:
        """Do what happens instead of an answer; say whether that is all."""
        if fault.kind == "slow":
            # Not `sleep`, which tests replace to lose no time with a client's own waiting.
            threading.Event().wait(SLOW)
            return False
        if fault.kind == "429":
            self._send(Answer(429, {"error": "too much"}, headers={"Retry-After": "1"}))
        elif fault.kind == "500 before":
            self._send(Answer(500, {"error": "it broke"}))
        elif fault.kind in ("cut before", "killed before"):
            if fault.kind == "killed before":
                self.hub.faults.kill()
            self._cut()
        else:
            return False
        return True

    def _cut(self) -> None:
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def _send(self, answer: Answer) -> None:
        self.send_response(answer.status)
        payload = answer.payload
        for name, value in {"Content-Length": str(len(payload)), **answer.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(payload)

    do_GET = do_POST = do_PUT = do_HEAD = _serve  # noqa: N815


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    # Many clients at once, in the tests that have them.
    request_queue_size = 64

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: clients that go away are what is tested."""
        del request, client_address


@contextmanager
def serve(root: Path) -> Iterator[Hub]:
    """Run a server on a free port of this machine."""
    hub = Hub(Repositories(root))
    handler = type("Handler", (_Handler,), {"hub": hub})
    server = _Server(("127.0.0.1", 0), handler)
    hub.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
