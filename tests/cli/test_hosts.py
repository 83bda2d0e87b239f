"""Hosts that do not answer, or stop in the middle of it."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from kernel_builder import nix
from kernel_builder.sources.coordinates import Deb, Vendor, Wheel
from kernel_builder.sources.fetcher import fetch_sources
from tests.cli.command_line import Cli
from tests.cli.fake_kernel import FakeKernel
from tests.cli.store import Store


def test_a_dead_host_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Any] = []

    def realise(derivations: Any, on_line: Any, **_: Any) -> int:
        calls.append(derivations)
        said = "error: unable to download 'https://dead/1': no answer (28); retrying in 1 ms"
        line = "@nix " + json.dumps({"action": "msg", "level": 1, "msg": said})
        while on_line(line):
            pass
        return 1

    monkeypatch.setattr(nix, "realise", realise)
    monkeypatch.setattr(nix, "find_invalid", set)
    # Two of them are looked for elsewhere first: there is neither an apt nor a pip.
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setenv("KERNEL_BUILDER_PIP", "/nowhere/pip")
    common = [(f"/{n}.drv", str(n), f"/{n}", "", f"https://dead/{n}") for n in range(5)]
    sources = [
        *(Vendor(*common[n]) for n in range(3)),
        Deb(*common[3], "p", "1", "amd64", "bookworm"),
        Wheel(*common[4], "p", "1", "p-1-py3-none-any.whl"),
    ]
    refused = fetch_sources(sources)
    assert list(refused) == sources
    assert {why[-1].found for why in refused.values()} == {"dead cannot be reached (no answer)"}
    assert calls == [[f"/{n}.drv" for n in range(5)]]


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


def test_an_input_of_a_flake(cli: Cli, kernel: FakeKernel, dead_url: str) -> None:
    kernel.add("one")
    flake = kernel.write() / "flake.nix"
    inputs = f'{{ inputs.other.url = "{dead_url}/a.tar.gz";'
    flake.write_text(flake.read_text().replace("{", inputs, 1))
    done = cli("build", str(kernel.folder), "--option", "download-attempts", "1")
    assert done.status == 1
    assert "error: Nix cannot download what it needs (1 problem)\n" in done.stderr
    assert f"       at     {dead_url}/a.tar.gz\n" in done.stderr
