"""What kernel-builder itself costs: its evaluation, and a build with nothing to do."""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path

from tests.bench.matrix import RELU, measure_matrix
from tests.bench.measuring import CORES, measure, repeat, show
from tests.bench.ways import kernel_builder
from tests.evaluation import FEATURES, VARIANT, outputs_of


def measure_own_costs(times: int) -> None:
    """Print medians, each with its spread and what is aimed at."""
    print(f"{CORES} cores, {times} runs: median, smallest to largest, aim")
    _measure_evaluation(times)
    _measure_unchanged_build(times)
    measure_matrix(times)


def _measure_evaluation(times: int) -> None:
    """All derivations of relu's CPU variant."""
    nix = ["nix", *FEATURES, "eval"]
    variant = f"redistributable.{VARIANT}.drvPath"
    ways = {
        "default.nix": [*nix, "--impure", "--raw", "--expr", f"({outputs_of(RELU)}).{variant}"],
        "flake": [*nix, "--raw", "--no-write-lock-file", f"{RELU}#{variant}"],
    }
    for way, argv in ways.items():
        # Unlike its result, an evaluation itself is what is measured.
        costs = repeat(times, partial(measure, [*argv, "--option", "eval-cache", "false"]))
        name = f"evaluate relu's CPU variant, {way}"
        show(name, [cost.seconds for cost in costs], "s", aim="at most 0.5")
        show(f"{name}: memory", [cost.megabytes for cost in costs], "MB", 0, "at most 80")


def _measure_unchanged_build(times: int) -> None:
    argv = kernel_builder("build", str(RELU), "--backend", "cpu")
    with tempfile.TemporaryDirectory() as folder:
        costs = repeat(times, lambda: measure(argv, cwd=Path(folder)))
    name = "kernel-builder build, nothing changed"
    show(name, [cost.seconds for cost in costs], "s", aim="at most 1.5")
