"""The time and memory of earlier compiles, and the number of compiles at once that follows.

The file is a cache of the user and never an input of a derivation.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from itertools import accumulate
from pathlib import Path
from typing import Final, NamedTuple

from kernel_builder.machine.files import replace_text
from kernel_builder.machine.limits import Room
from kernel_builder.nix.log import Span, short_name

# The number of names that are kept, the most recent ones: some megabytes.
MOST: Final = 20_000
# The memory in megabytes for everything that is not measured, such as linking.
LEAST: Final = 512
# The factor of memory for everything else that runs on the machine.
SPARE: Final = 1.1
# The parts of a step's name that differ between builds of one unit: Torch, toolkit, target.
_VARYING = re.compile(r"(?<=-torch)\d+(?=-)|(?<=-cu)\d+(?=-)|(?<=\.sm_)\d+[a-z]?$")


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
