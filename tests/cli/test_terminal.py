"""`build` and `prefetch` on a terminal: colours and progress."""

import hashlib
import os
import pty
import re
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command_line import Cli, python_argv
from tests.cli.fake_kernel import FAILS, FakeKernel
from tests.cli.served import Answer, serve_with
from tests.cli.store import Store


def run_on_terminal(
    cli: Cli, *words: str, stdout: int | None = None, stderr: int | None = None, **variables: str
) -> str:
    """Return all that a command shows on a terminal; one of its outputs may go elsewhere."""
    main, other = pty.openpty()
    environment = {**os.environ, **cli.environment, "TERM": "xterm"}
    process = subprocess.Popen(
        [*python_argv(), *words],
        cwd=cli.folder,
        env={**environment, **variables},
        stdout=other if stdout is None else stdout,
        stderr=other if stderr is None else stderr,
        stdin=other,
    )
    os.close(other)
    shown = b""
    while True:
        try:
            block = os.read(main, 65536)
        except OSError:
            break
        if not block:
            break
        shown += block
    process.wait()
    os.close(main)
    return shown.decode()


def test_terminal(cli: Cli, kernel: FakeKernel) -> None:
    kernel.add("one", script='"echo x > $out"')
    kernel.add("bad", script=FAILS)
    folder = str(kernel.write())
    shown = run_on_terminal(cli, "build", folder)
    # The line that changes, and what takes it away.
    assert 0 <= shown.find("[0:00] ") < shown.rfind("\r\x1b[K")
    assert "\x1b[32mbuilt" in shown
    assert "\x1b[31merror:\x1b[0m k does not build" in shown
    plain = run_on_terminal(cli, "build", folder, NO_COLOR="1")
    assert "error: k does not build" in plain
    assert "\x1b[3" not in plain
    text = run_on_terminal(cli, "build", folder, TERM="dumb")
    assert "error: k does not build" in text
    assert "\x1b" not in text


@pytest.mark.parametrize("aside", ["stdout", "stderr"])
def test_each_output_is_coloured_where_it_is_a_terminal(
    cli: Cli, kernel: FakeKernel, aside: str, tmp_path: Path
) -> None:
    kernel.add("one", script='"mkdir $out"')
    kernel.add("bad", script=FAILS)
    with (tmp_path / "aside").open("w+") as file:
        streams: dict[str, Any] = {aside: file.fileno()}
        shown = run_on_terminal(cli, "build", str(kernel.write()), **streams)
        file.seek(0)
        plain = file.read()
    assert plain
    assert "\x1b" not in plain
    assert ("\x1b[31merror:" if aside == "stdout" else "\x1b[32mbuilt") in shown


BLOCKS = 20
BLOCK = 100_000


class Slow(Answer):
    """Sends two megabytes in two seconds; the address says what of."""

    def do_GET(self) -> None:  # noqa: N802
        self.send_response(200)
        self.send_header("Content-Length", str(BLOCKS * BLOCK))
        self.end_headers()
        for _ in range(BLOCKS):
            self.wfile.write(content_of(self.path[1:], BLOCK))
            time.sleep(0.1)


def content_of(salt: str, size: int) -> bytes:
    return (salt.encode() * size)[:size]


@pytest.fixture
def slow() -> Iterator[str]:
    with serve_with(Slow) as url:
        yield url


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
