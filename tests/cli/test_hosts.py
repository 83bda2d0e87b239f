"""Hosts that do not answer, or stop in the middle of it."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from kernel_builder.sources import vendor
from kernel_builder.sources.hosts import Hosts, probe
from tests.cli.command_line import Cli
from tests.cli.store import Store


def test_a_dead_host_is_asked_once(
    dead_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    probed = []

    def note(url: str) -> str | None:
        probed.append(url)
        return probe(url)

    monkeypatch.setattr(vendor, "probe", note)
    hosts = Hosts()
    refusals = [vendor.download(f"{dead_url}/{n}", tmp_path / "file", hosts) for n in range(3)]
    assert probed == [f"{dead_url}/0"]
    assert len(set(refusals)) == 1
    assert refusals[0] is not None
    assert "cannot be reached (Connection refused)" in refusals[0].found


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
    assert f"       found  {host} broke the download off\n" in done.stderr
