"""The progress of a download on a terminal."""

from __future__ import annotations

import hashlib
import re
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from tests.cli.command_line import Cli
from tests.cli.store import Store
from tests.cli.test_build_terminal import run_on_terminal

BLOCKS = 20
BLOCK = 100_000


class Slow(BaseHTTPRequestHandler):
    """Sends two megabytes in two seconds; the address says what of."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(BLOCKS * BLOCK))
        self.end_headers()
        for _ in range(BLOCKS):
            self.wfile.write(content_of(self.path[1:], BLOCK))
            time.sleep(0.1)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass


def content_of(salt: str, size: int) -> bytes:
    return (salt.encode() * size)[:size]


@pytest.fixture
def slow() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Slow)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_a_terminal_shows_how_much_has_arrived(
    cli: Cli, store: Store, slow: str, salt: str
) -> None:
    content = content_of(salt, BLOCK) * BLOCKS
    source = store.source(f"{salt}.tar", content, sourceKind="vendor", url=f"{slow}/{salt}")
    drv = store.instantiate(source)
    assert hashlib.sha256(content).hexdigest() in source
    shown = run_on_terminal(cli, "prefetch", drv, COLUMNS="100", NO_COLOR="1")
    shown = re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", shown)
    assert re.search(r"fetching sources 0/1: \d\.\d/2\.0 MB", shown)
    assert store.has(drv)
