"""`build` on a terminal, and `build` that is broken off."""

from __future__ import annotations

import os
import pty
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command_line import Cli, python_argv
from tests.cli.fake_kernel import FAILS, FakeKernel


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
    assert 0 <= shown.find("building ") < shown.rfind("\r\x1b[K")
    assert "\x1b[32mbuilt" in shown
    assert "\x1b[31merror:\x1b[0m k does not build" in shown
    plain = run_on_terminal(cli, "build", folder, NO_COLOR="1")
    assert "error: k does not build" in plain
    assert "\x1b[3" not in plain


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
