"""What one process costs, and how the costs of several runs are shown."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Cost:
    """What one process cost, with its children; memory is that of the largest of them."""

    seconds: float
    core_seconds: float
    megabytes: float


def measure(argv: list[str], **options: object) -> Cost:
    """Run a process to its end."""
    start = time.perf_counter()
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(argv, stdout=output, stderr=output, **options)  # type: ignore[call-overload]
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            output.seek(0)
            sys.exit(f"{' '.join(argv)}\n{output.read()}")
    return Cost(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def show(what: str, values: list[float], unit: str, digits: int = 2, aim: str = "") -> None:
    """Print one line: the median, then the smallest and the largest."""
    low, middle, high = min(values), statistics.median(values), max(values)
    spread = f"{low:.{digits}f} to {high:.{digits}f}"
    print(f"{what:<58} {middle:>8.{digits}f} {unit:<3} {spread:>18}   {aim}", flush=True)


def repeat(times: int, run: Callable[[], Cost]) -> list[Cost]:
    """Return the costs of several runs, after one that warms the caches."""
    run()
    return [run() for _ in range(times)]
