"""The data of reports that nobody built: as many steps as a test wants, always the same."""

from __future__ import annotations

import random
from typing import Any, Final

TARGETS: Final = ("80", "86", "89", "90", "90a", "100", "103", "110", "120")
TORCHES: Final = ("213", "214")
LANES: Final = 16


def _step(
    name: str, kind: str, unit: str | None, parts: list[Any], size: int | None = None
) -> dict[str, Any]:
    return {
        "name": name,
        "kind": kind,
        "unit": unit,
        "state": "stored",
        "parts": parts,
        "size": size,
    }


def make_up(units: int) -> dict[str, Any]:
    """Return a build of units for CUDA, each for all targets and two releases of Torch."""
    chance = random.Random(units)
    free = [2.0] * LANES
    steps: list[dict[str, Any]] = []

    def add(step: dict[str, Any], **more: Any) -> None:
        steps.append({**step, **more})
        if chance.random() < 0.8:
            lane = free.index(min(free))
            took = sum(part[1] for part in step["parts"]) or 0.5
            times = {"start": round(free[lane], 2), "stop": round(free[lane] + took, 2)}
            steps[-1].update(times, state="built", where="")
            free[lane] = times["stop"]
        else:
            steps[-1]["parts"] = []

    for number in range(units):
        unit, base = f"csrc/kernels/attention_{number}.cu", chance.lognormvariate(1.5, 0.8)
        for torch in TORCHES:
            name = f"made-up-torch{torch}-cu130-{unit.replace('/', '-')}"
            for target in TARGETS:
                cicc = round(base * chance.uniform(0.6, 1.5), 2)
                parts = [["cicc", cicc, int(300 + 20 * cicc)], ["ptxas", round(cicc / 2, 2), 300]]
                step = _step(f"{name}.sm_{target}", "device", unit, parts, int(base * 1e5))
                add(step, target=target, headers="full" if number % 7 == 0 else "lean")
            parts = [["cudafe++", 1.5, 700], ["compile", 2.0, 900]]
            add(_step(f"{name}.host.o", "host", unit, parts, int(base * 1e4)), headers="lean")
            add(_step(f"{name}.fatbin.o", "gather", unit, [], int(base * 5e5)))
    variants = [
        {
            "variant": f"torch{torch}-cxx11-cu130-x86_64-linux",
            "backend": "cuda",
            "state": "built",
            "why": "lean headers: <b>most</b>",
            "out": "/nix/store/made-up",
            "library": 412_000_000,
            "steps": [n for n, step in enumerate(steps) if f"torch{torch}" in step["name"]],
        }
        for torch in TORCHES
    ]
    return {
        "name": "made-up",
        "system": "x86_64-linux",
        "date": "2026-01-02T03:04:05+00:00",
        "seconds": max(free) + 3,
        "before": {"evaluation": 0.8, "sources": 0.4},
        "cores": LANES,
        "memory": 30_000,
        "jobs": [LANES],
        "derivations": len(steps) + 400,
        "variants": variants,
        "steps": steps,
    }
