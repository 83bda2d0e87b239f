"""The number of compiles at once: by what earlier ones took, and by what is free here.

The file of times and memory is a cache of the user and never an input of a derivation.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

from kernel_builder.machine.files import replace_text
from kernel_builder.nix.log import Span, short_name

CGROUPS: Final = "/sys/fs/cgroup"
# The number of names that are kept, the most recent ones: some megabytes.
MOST: Final = 20_000
# The memory in megabytes for everything that is not measured, such as linking.
LEAST: Final = 512
# The factor of memory for everything else that runs on the machine.
SPARE: Final = 1.1
# The parts of a step's name that differ between builds of one unit: Torch, toolkit, target.
_VARYING = re.compile(r"(?<=-torch)\d+(?=-)|(?<=-cu)\d+(?=-)|(?<=\.sm_)\d+[a-z]?$")


@dataclass(frozen=True)
class Room:
    """Cores, at least one, and free memory in bytes; None if it is not known."""

    cores: int
    memory: int | None


def find_room() -> Room:
    """Return what is free; a container, and each one around it, may have less than the machine."""
    available = re.search(r"^MemAvailable: +(\d+)", _read("/proc/meminfo"), re.MULTILINE)
    amounts = [int(available[1]) * 1024] if available else []
    shares = [float(_count_cores())]
    # A container may see its own group as the root, whatever its name is outside.
    name = re.search(r"^0::/?(.*)", _read("/proc/self/cgroup"), re.MULTILINE)
    below = PurePosixPath(name[1] if name else "")
    for group in (f"{CGROUPS}/{each}" for each in (below, *below.parents) if name):
        used, limit = _read(f"{group}/memory.current"), _read(f"{group}/memory.max").strip()
        # Files that are only cached count as free.
        cached = re.search(r"^inactive_file (\d+)", _read(f"{group}/memory.stat"), re.MULTILINE)
        if used and limit.isdigit():
            amounts.append(max(0, int(limit) - int(used) + int(cached[1] if cached else 0)))
        if quota := re.match(r"(\d+) (\d+)", _read(f"{group}/cpu.max")):
            shares.append(int(quota[1]) / int(quota[2]))
    return Room(max(1, int(min(shares))), min(amounts, default=None))


def _count_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _read(name: str) -> str:
    """Return the text of a file, an empty one if it is not there."""
    with suppress(OSError):
        return Path(name).read_text()
    return ""


class Cost(NamedTuple):
    """The cost of a compile: `seconds`, and its highest use of memory in `megabytes` (2^20)."""

    seconds: float
    megabytes: int


# A unit that was never compiled here: Torch's headers, or templates for a GPU.
UNKNOWN: Final = Cost(20, 2048)


class Costs:
    """The cost of each step when it was last built here, by the step's name."""

    def __init__(self) -> None:
        cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        self._file = Path(cache) / "kernel-builder" / "costs.json"
        self._known = self._read()
        self._alike: dict[str, Cost] = {}
        for name, cost in self._known.items():
            alike = _VARYING.sub("*", name)
            other = self._alike.get(alike, cost)
            most = max(cost.seconds, other.seconds), max(cost.megabytes, other.megabytes)
            self._alike[alike] = Cost(*most)

    def _read(self) -> dict[str, Cost]:
        with suppress(OSError, ValueError, TypeError, AttributeError):
            found = json.loads(self._file.read_bytes()).items()
            return {name: Cost(float(seconds), int(size)) for name, (seconds, size) in found}
        return {}

    def predict(self, derivation: str) -> Cost | None:
        """Return what a step took, or else the most for another Torch, toolkit or target."""
        name = short_name(derivation)
        return self._known.get(name) or self._alike.get(_VARYING.sub("*", name))

    def save(self, spans: Mapping[str, Span]) -> None:
        """Add the steps that were built now to the file, which other processes write as well."""
        new = {
            # Parts run one after another.
            short_name(path): Cost(sum(p[1] for p in span.parts), max(p[2] for p in span.parts))
            for path, span in spans.items()
            if span.parts
        }
        if new:
            kept = {name: cost for name, cost in self._read().items() if name not in new}
            with suppress(OSError):
                self._file.parent.mkdir(parents=True, exist_ok=True)
                replace_text(self._file, json.dumps(dict([*kept.items(), *new.items()][-MOST:])))


def count_jobs(costs: Iterable[Cost], room: Room) -> int:
    """Return how many of these fit into memory at once, even the largest: one, up to all cores."""
    if room.memory is None:
        return room.cores
    sizes = sorted((max(cost.megabytes, LEAST) for cost in costs), reverse=True)
    sums = accumulate([*sizes, *[LEAST] * room.cores][: room.cores])
    return max(1, sum(each * SPARE * 2**20 <= room.memory for each in sums))
