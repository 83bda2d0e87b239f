"""`build` on a terminal, and `build` that is broken off."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import time
from pathlib import Path

from tests.cli.command_line import PACKAGE, Cli
from tests.cli.fake_kernel import FAILS, FakeKernel


def run_on_terminal(cli: Cli, *words: str, **variables: str) -> str:
    """Return all that a command shows on a terminal."""
    main, other = pty.openpty()
    environment = {**os.environ, **cli.environment, "PYTHONPATH": str(PACKAGE), "TERM": "xterm"}
    process = subprocess.Popen(
        [sys.executable, "-m", "kernel_builder", *words],
        cwd=cli.folder,
        env={**environment, **variables},
        stdout=other,
        stderr=other,
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
    assert "\r\x1b[Kbuilding " in shown
    assert "\x1b[32mbuilt" in shown
    assert "\x1b[31merror:\x1b[0m k does not build" in shown
    plain = run_on_terminal(cli, "build", folder, NO_COLOR="1")
    assert "error: k does not build" in plain
    assert "\x1b[3" not in plain


def is_running(salt: str) -> bool:
    """Say whether a builder with this salt in its environment is still there."""
    for entry in Path("/proc").glob("[0-9]*/environ"):
        try:
            if f"salt={salt}".encode() in entry.read_bytes():
                return True
        except OSError:
            continue
    return False


def test_interrupted(cli: Cli, kernel: FakeKernel) -> None:
    kernel.add("slow", script='"while :; do :; done"')
    environment = {**os.environ, **cli.environment, "PYTHONPATH": str(PACKAGE)}
    process = subprocess.Popen(
        [sys.executable, "-m", "kernel_builder", "build", str(kernel.write())],
        cwd=cli.folder,
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    assert process.stderr.readline().startswith("building k-slow")
    started = time.monotonic()
    process.terminate()
    rest = process.stderr.read()
    assert process.wait(timeout=60) == 130
    assert rest.strip() == "error: interrupted; run it again to go on"
    assert not is_running(kernel.salt)
    assert time.monotonic() - started < 30
