"""How far a download is: bytes, rate and time left on a terminal, plain lines elsewhere."""

from __future__ import annotations

import hashlib
import os
import re
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from kernel_builder.sources.job import Job, measure
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


def test_a_terminal_shows_bytes_rate_and_time_left(
    cli: Cli, store: Store, slow: str, salt: str
) -> None:
    content = content_of(salt, BLOCK) * BLOCKS
    source = store.source(f"{salt}.tar", content, sourceKind="vendor", url=f"{slow}/{salt}")
    drv = store.instantiate(source)
    assert hashlib.sha256(content).hexdigest() in source
    shown = run_on_terminal(cli, "prefetch", drv, COLUMNS="100", NO_COLOR="1")
    shown = re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", shown)
    assert "fetching sources 0/1" in shown
    assert re.search(r"\d\.\d/2\.0 MB [\d.]+ [kM]B/s \d\d:\d\d", shown)
    assert store.has(drv)


@pytest.mark.parametrize(
    ("line", "size"),
    [
        ("  Downloading torch-2.13.0-cp311-cp311-manylinux_2_28_x86_64.whl (2.5 GB)", 2.5e9),
        ("Using cached click-8.1.8-py3-none-any.whl (98 kB)", 98e3),
        ("Get:1 http://mirror bookworm/main amd64 gcc-12 amd64 12.2.0-14 [19.3 MB]", 19.3e6),
        ("Looking in links: /folder (2 MB)", 0),
    ],
)
def test_sizes_that_pip_and_apt_tell(line: str, size: float) -> None:
    job = Job("wheels", (), lambda _: ())
    assert job.read_size(line)
    assert job.total == size


def test_a_folder_that_is_gone_again_counts_for_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone").mkdir()
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "file").write_bytes(b"four")
    look = os.scandir

    def vanish(place: str | os.PathLike[str]) -> object:
        if Path(place).name == "gone":
            raise FileNotFoundError(place)
        return look(place)

    monkeypatch.setattr(os, "scandir", vanish)
    assert measure(tmp_path) == 4
