"""Hosts that do not answer, or stop in the middle of it."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.cli.command_line import Cli
from tests.cli.fake_kernel import FakeKernel
from tests.cli.store import Store


class Stops(BaseHTTPRequestHandler):
    """Promises more than it sends."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "1000")
        self.end_headers()
        self.wfile.write(b"the beginning")

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass


def test_half_a_file_is_not_called_another_file(cli: Cli, store: Store, salt: str) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Stops)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    host = f"127.0.0.1:{server.server_port}"
    source = store.source(salt, salt.encode(), sourceKind="vendor", url=f"http://{host}/f")
    done = cli("prefetch", store.instantiate(source))
    server.shutdown()
    server.server_close()
    assert done.status == 1
    assert "another file" not in done.stderr
    assert f"unable to download 'http://{host}/f'" in done.stderr


def test_an_input_of_a_flake(cli: Cli, kernel: FakeKernel, dead_url: str) -> None:
    kernel.add("one")
    flake = kernel.write() / "flake.nix"
    inputs = f'{{ inputs.other.url = "{dead_url}/a.tar.gz";'
    flake.write_text(flake.read_text().replace("{", inputs, 1))
    done = cli("build", str(kernel.folder), "--option", "download-attempts", "1")
    assert done.status == 1
    assert f"error: unable to download '{dead_url}/a.tar.gz': " in done.stderr
