"""The command line as a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
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

    def __call__(self, *words: str, **variables: str) -> Ran:
        environment = {
            **os.environ,
            "PYTHONPATH": f"{PACKAGE}:{PACKAGE.parent}",
            **self.environment,
            **variables,
        }
        done = subprocess.run(
            [sys.executable, "-m", self.module, *words],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        return Ran(done.returncode, done.stdout, done.stderr)
