"""A folder that is served by a host on which a request can go wrong."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.cli.command_line import Cli, Ran
from tests.cli.served import Quiet, Server
from tests.cli.trials import expect_answer

PAGE = b"<!DOCTYPE html><html><body>Please log in to this network.</body></html>\n"
# These answer a request, and from then on every request for the same file.
LIES = ("other bytes", "half of it", "a page of HTML")
BREAKS = ("cut in the middle", "status 500")
# This one is over when the file is asked for again.
ONCE = "status 500, then good"


@dataclass
class FaultyServer(Server):
    """A server whose request number `at`, from 1, meets a fault of this kind."""

    kind: str = ""
    at: int = 0
    count: int = 0
    paths: set[str] = field(default_factory=set)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def break_at(self, kind: str, at: int) -> None:
        """Count from 1 again."""
        with self.lock:
            self.kind, self.at, self.count = kind, at, 0
            self.paths = set()

    def meet(self, path: str) -> str:
        """Count a request; return the kind of the fault that it meets."""
        with self.lock:
            self.count += 1
            if self.count == self.at:
                self.paths.add(path)
            is_met = self.count == self.at if self.kind == ONCE else path in self.paths
            return self.kind if is_met else ""


class Handler(Quiet):
    """Answers, with what a shared cache is told about how long it may keep an answer."""

    server_of_folder: FaultyServer

    def do_GET(self) -> None:  # noqa: N802
        kind = self.server_of_folder.meet(self.path)
        file = Path(self.translate_path(self.path))
        if file.is_dir():
            file /= "index.html"
        if kind.startswith("status 500"):
            self.send_error(500)
            return
        if not file.is_file():
            self.send_error(404)
            return
        content = file.read_bytes()
        size = len(content)
        if kind == "other bytes":
            content = content[::-1]
        elif kind in ("half of it", "cut in the middle"):
            content = content[: size // 2]
        elif kind == "a page of HTML":
            content = PAGE
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(file)))
        self.send_header("Content-Length", str(size if "cut" in kind else len(content)))
        self.send_header("Cache-Control", "max-age=1000000, public")
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(content)

    do_HEAD = do_GET  # noqa: N815


@contextmanager
def serve(root: Path) -> Iterator[FaultyServer]:
    """Serve a folder on a free port of this machine."""
    root.mkdir()
    server = FaultyServer(root, "")
    handler: Any = type("Own", (Handler,), {"server_of_folder": server})
    running = ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(root)))
    running.daemon_threads = True
    server.url = f"http://127.0.0.1:{running.server_port}"
    threading.Thread(target=running.serve_forever, args=(0.05,), daemon=True).start()
    yield server
    running.shutdown()
    running.server_close()


@dataclass
class AtRequests:
    """The n-th request to a host, or to each of several, goes wrong in one way."""

    name: str
    cli: Cli
    servers: Sequence[FaultyServer]

    def run(self, words: Sequence[str], at: int) -> Ran:
        for server in self.servers:
            server.break_at(self.name, at)
        # Nix waits longer each time before it asks again.
        attempts = "2" if self.name == ONCE else "1"
        settings = os.environ.get("NIX_CONFIG", "") + f"\ndownload-attempts = {attempts}\n"
        return self.cli(*words, NIX_CONFIG=settings)

    def is_met(self, ran: Ran) -> bool:
        del ran
        return any(server.paths for server in self.servers)

    def judge(self, ran: Ran) -> None:
        expect_answer(ran)
