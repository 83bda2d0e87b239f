"""The cost of a process, and other work of the machine meanwhile."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

CORES = len(os.sched_getaffinity(0))


class FailedError(Exception):
    """A program that failed; the text is its command line and all that it said."""


@dataclass(frozen=True)
class Cost:
    """The cost of a process with its children; memory is that of the largest process.

    `others` are the core seconds that the machine spent on anything else meanwhile, `built` is
    how many derivations were built.
    """

    seconds: float
    core_seconds: float
    megabytes: float
    others: float = 0.0
    built: int = 0

    def __add__(self, other: Cost) -> Cost:
        """Add the costs of two processes that run one after the other."""
        return Cost(
            self.seconds + other.seconds,
            self.core_seconds + other.core_seconds,
            max(self.megabytes, other.megabytes),
            self.others + other.others,
            self.built + other.built,
        )


def measure(
    argv: Sequence[str], cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> Cost:
    """Run a process to its end. Raises FailedError if it fails."""
    with tempfile.TemporaryFile("w+") as output:
        busy, start = _busy_seconds(), time.perf_counter()
        process = subprocess.Popen(argv, cwd=cwd, env=env, stdout=output, stderr=output)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        core_seconds = usage.ru_utime + usage.ru_stime
        others = max(0.0, _busy_seconds() - busy - core_seconds)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        said = output.read()
    if process.returncode != 0:
        raise FailedError(f"{' '.join(argv)}\n{said}")
    built = sum(line.startswith("building ") for line in said.splitlines())
    return Cost(seconds, core_seconds, usage.ru_maxrss / 1024, others, built)


def measure_import(statement: str, env: Mapping[str, str]) -> Cost:
    """Run a statement that imports Torch, with all bytecode there."""
    argv = ["python", "-c", statement]
    # The first import leaves the bytecode for the measured one.
    measure(argv, env=env)
    return measure(argv, env=env)


def _busy_seconds() -> float:
    """Return the core seconds that the whole machine has worked, also for other machines."""
    user, nice, system, _idle, _waiting, *others = map(
        int, Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]
    )
    return (user + nice + system + sum(others)) / os.sysconf("SC_CLK_TCK")
