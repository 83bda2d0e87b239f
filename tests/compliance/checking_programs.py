"""Runs a check on a folder, as the command line does."""

import os
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.evaluation import ROOT

BY_NAME = ROOT / "python/src/kernel_builder/templates/ops/by_name.py"
PACKAGES = {
    "abi_check": ROOT / "pkgs/checks/check-abi",
    "layout_check": ROOT / "pkgs/checks/listed-checks",
    "registration_check": ROOT / "pkgs/checks/check-registration",
}


@dataclass(frozen=True)
class Said:
    status: int
    report: str
    errors: str

    def problem(self, *, at: str) -> dict[str, str]:
        """Return the problem whose `at` begins so, as a table."""
        for block in self.errors.split("\n\n"):
            fields: dict[str, str] = {}
            for line in block.splitlines():
                key, text = line[7:14].strip(), line[14:]
                if key:
                    fields[key] = text
                elif fields:
                    fields[list(fields)[-1]] += f"\n{text}"
            if fields.get("at", "").startswith(at):
                return fields
        raise AssertionError(f"no problem at {at!r} in:\n{self.errors}")


@cache
def lay_out_messages() -> Path:
    """Return a folder with the one module of the command line that checks import."""
    folder = Path(tempfile.mkdtemp(prefix="messages-"))
    place = folder / "kernel_builder" / "messages"
    place.mkdir(parents=True)
    (place / "problem.py").symlink_to(ROOT / "python/src/kernel_builder/messages/problem.py")
    return folder


def run_check(python: Path, check: str, *arguments: str | Path, path: Path | None = None) -> Said:
    """Run a check; `path` is a folder of programs that it may use."""
    environment = {
        "PYTHONPATH": f"{PACKAGES[check]}:{ROOT / 'pkgs/checks/run-check'}:{lay_out_messages()}",
        "PYTHONUTF8": "1",
        "PATH": f"{path}:{os.environ['PATH']}" if path else os.environ["PATH"],
    }
    argv = [str(python), "-B", "-m", check, *map(str, arguments)]
    done = subprocess.run(argv, env=environment, capture_output=True, text=True, check=False)
    return Said(done.returncode, done.stdout, done.stderr)
