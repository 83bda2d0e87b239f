"""Programs to run on each distribution, and the table in docs/reference/compatibility.md."""

from __future__ import annotations

from typing import NamedTuple

TORCH = "2.13.0"
TESTS = ("kernels", "numpy", "pytest")
TABLE = "table: what was run (distribution, glibc, Python, Torch, kernel, outcome)"


class Row(NamedTuple):
    """One run and its outcome."""

    distribution: str
    glibc: str
    python: str
    torch: str
    kernel: str
    outcome: str
