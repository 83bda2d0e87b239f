"""The command line as a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.evaluation import ROOT

PACKAGE = ROOT / "python" / "src"


@dataclass(frozen=True)
class Ran:
    """A finished command."""

    status: int
    stdout: str
    stderr: str


@dataclass
class Cli:
    """Runs the command line as a process of its own."""

    folder: Path
    environment: dict[str, str] = field(default_factory=dict)
    # The program of maintainers, `lock`, lies beside the package.
    module: str = "kernel_builder"
    seconds: int = 120
    # The program that starts it, with its words.
    before: Sequence[str] = ()

    def __call__(self, *words: str, **variables: str) -> Ran:
        environment = {
            **os.environ,
            "PYTHONPATH": f"{PACKAGE}:{PACKAGE.parent}",
            **self.environment,
            **variables,
        }
        done = subprocess.run(
            [*self.before, sys.executable, "-m", self.module, *words],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=self.seconds,
        )
        return Ran(done.returncode, done.stdout, done.stderr)


class Started:
    """The command line in a process group of its own, which ends with the test."""

    def __init__(self, cli: Cli, *words: str, **variables: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "kernel_builder", *words],
            cwd=cli.folder,
            env={**os.environ, "PYTHONPATH": str(PACKAGE), **cli.environment, **variables},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def __enter__(self) -> subprocess.Popen[str]:
        return self.process

    def __exit__(self, *_: object) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
