"""Measurements, one sample for each build, and the machine."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from bench.measuring import CORES, Cost
from tests.evaluation import ROOT


@dataclass(frozen=True)
class Sample:
    """One build; samples of one `turn` of an experiment are from the same minutes."""

    experiment: str
    subject: str
    case: str
    way: str
    turn: int
    cost: Cost


@dataclass(frozen=True)
class Failure:
    """The output of a way that failed, and so has no further cases of an experiment."""

    experiment: str
    case: str
    way: str
    message: str


@dataclass
class Samples:
    """All that one run measured, in a file that is complete after each build."""

    file: Path
    machine: dict[str, Any]
    samples: list[Sample] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)

    def add(self, sample: Sample | Failure) -> None:
        """Keep one more."""
        if isinstance(sample, Failure):
            self.failures.append(sample)
        else:
            self.samples.append(sample)
        failures, samples = (
            ",\n".join(json.dumps(asdict(each)) for each in rows)
            for rows in (self.failures, self.samples)
        )
        head = json.dumps(self.machine, indent=2)
        text = (
            f'{{"machine": {head},\n"failures": [\n{failures}\n],\n"samples": [\n{samples}\n]}}\n'
        )
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_text(text)

    def turns(self, experiment: str) -> int:
        """Return how many turns of an experiment there are."""
        return 1 + max(
            (each.turn for each in self.samples if each.experiment == experiment), default=-1
        )


def read_samples(file: Path) -> Samples:
    """Read a file of `Samples`."""
    data = json.loads(file.read_text())
    rows = ({**row, "cost": Cost(**row["cost"])} for row in data["samples"])
    failures = [Failure(**row) for row in data.get("failures", [])]
    return Samples(file, data["machine"], [Sample(**row) for row in rows], failures)


def describe_machine() -> dict[str, Any]:
    """Return what a reader of the figures has to know, before anything is measured."""
    return {
        "processor": _processor(),
        "cores": CORES,
        "memory": f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 1e9:.0f} GB",
        "system": platform.platform(),
        "nix": _ask("nix", "--version"),
        "commit": _ask("git", "-C", str(ROOT), "describe", "--always", "--dirty"),
        "load": [round(load, 2) for load in os.getloadavg()],
    }


def _processor() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    named = (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.machine())


def _ask(*argv: str) -> str:
    return subprocess.run(argv, capture_output=True, text=True, check=False).stdout.strip()
