"""Fetching that is broken off: nothing new is begun, and no program stays behind."""

from __future__ import annotations

import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command_line import Cli, Started
from tests.cli.store import Store

FILES = 12
# Only a test that fails waits so long.
PATIENCE = 60


class Gate:
    """A server that keeps everybody waiting until it is opened."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.is_open = threading.Event()
        gate = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                gate.asked.append(self.path)
                gate.is_open.wait(PATIENCE)
                body = self.path.strip("/").encode()
                with suppress(OSError):
                    self.send_response(200)
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def wait_for_crowd(self) -> None:
        """Return when somebody waits, and nobody else comes."""
        before = -1
        while not self.asked or len(self.asked) != before:
            before = len(self.asked)
            time.sleep(0.5)

    def close(self) -> None:
        self.is_open.set()
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def gate() -> Iterator[Gate]:
    made = Gate()
    yield made
    made.close()


@pytest.mark.parametrize("word", [signal.SIGINT, signal.SIGTERM])
def test_what_has_not_begun_is_not_begun(
    cli: Cli, store: Store, gate: Gate, salt: str, leftovers: Any, word: signal.Signals
) -> None:
    names = [f"{salt}-{number}" for number in range(FILES)]
    sources = [
        store.instantiate(
            store.source(name, name.encode(), sourceKind="vendor", url=f"{gate.url}/{name}")
        )
        for name in names
    ]
    with Started(cli, "prefetch", *sources) as process:
        gate.wait_for_crowd()
        process.send_signal(word)
        # Until then everybody waits: the order is not left to chance.
        _wait_for_its_programs(process)
        gate.is_open.set()
        _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 128 + word
    assert said.splitlines()[-1] == "error: interrupted; run it again to go on"
    assert len(gate.asked) < FILES
    assert leftovers() == []

    # What had arrived is kept, and the rest can be had.
    assert cli("prefetch", *sources).status == 0
    assert all(store.has(source) for source in sources)


def _wait_for_its_programs(process: subprocess.Popen[str]) -> None:
    """Return when the programs that it started have ended."""
    tasks = Path(f"/proc/{process.pid}/task")
    # A thread that ends takes its file along.
    with suppress(OSError):
        while any(path.read_text() for path in tasks.glob("*/children")):
            time.sleep(0.1)
