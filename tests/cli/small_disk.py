"""A folder that is a small disk, for a command that runs in a mount namespace of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.cli.command_line import Cli, Ran
from tests.cli.trials import expect_answer
from tests.skipping import skip

ENOUGH = 65536


@dataclass
class SmallDisk:
    """The disk has a page more at each point, until there is room for everything."""

    cli: Cli
    folder: Path
    process: int
    name: str = "full disk"
    unit: int = 4

    @property
    def inside(self) -> Path:
        """The folder as the command sees it."""
        return Path(f"/proc/{self.process}/root{self.folder}")

    def clear(self) -> None:
        """Take all away that is on the disk."""
        for path in self.inside.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()

    def run(self, words: Sequence[str], at: int) -> Ran:
        size = at * self.unit if at else ENOUGH
        enter = ("nsenter", f"--target={self.process}", "--mount")
        argv = [*enter, "mount", "-o", f"remount,size={size}k", str(self.folder)]
        subprocess.run(argv, check=True, capture_output=True)
        self.cli.before = enter
        return self.cli(*words)

    def is_met(self, ran: Ran) -> bool:
        return ran.status != 0

    def judge(self, ran: Ran) -> None:
        expect_answer(ran)


@contextmanager
def small_disk(cli: Cli, folder: Path) -> Iterator[SmallDisk]:
    """Make one, where this machine lets us."""
    if os.geteuid() != 0:
        skip("a small disk needs root", installable=False)
    script = f'mount -t tmpfs -o size={ENOUGH}k none "{folder}" && echo made && exec cat'
    process = subprocess.Popen(
        ["unshare", "--mount", "sh", "-c", script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin
    assert process.stdout
    try:
        if not process.stdout.readline():
            skip("this machine lets nobody mount", installable=False)
        yield SmallDisk(cli, folder, process.pid)
    finally:
        process.stdin.close()
        process.wait()
