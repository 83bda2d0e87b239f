"""What is run, and the rows of the table in docs/compatibility.md."""

from __future__ import annotations

from typing import NamedTuple

TORCH = "2.13.0"
TESTS = ("kernels", "numpy", "pytest")
TABLE = "table: what was run (distribution, glibc, Python, Torch, kernel, outcome)"


class Row(NamedTuple):
    """What was run, and how it ended."""

    distribution: str
    glibc: str
    python: str
    torch: str
    kernel: str
    outcome: str
