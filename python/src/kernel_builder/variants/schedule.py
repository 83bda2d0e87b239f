"""Choose the number of units that are compiled at once, and their order.

Nix has one number of jobs for a whole call, and starts the derivations that a call names first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from kernel_builder.machine.limits import Room
from kernel_builder.variants.costs import Cost

# A unit that was never compiled here: Torch's headers, or templates for a GPU.
UNKNOWN: Final = Cost(seconds=20, memory=2 * 2**30)
# The least memory of a step, in bytes: linking and checks are not measured.
LEAST: Final = 2**29
# The factor of memory for everything else that runs on the machine.
SPARE: Final = 1.1


@dataclass(frozen=True)
class Wave:
    """One call of Nix: its units, the longest first, its number of jobs, its seconds."""

    units: Sequence[str]
    jobs: int
    seconds: float


def plan_waves(units: Mapping[str, Cost], room: Room) -> list[Wave]:
    """Return the calls of Nix that compile these units within `room`.

    Large units that would keep cores idle get a call of their own, before the others, where that
    is faster.
    """
    together = _plan_wave(units, room)
    share = room.memory / room.cores if room.memory else 0
    large = {name: cost for name, cost in units.items() if share and cost.memory > share}
    small = {name: cost for name, cost in units.items() if name not in large}
    if large and small:
        apart = [_plan_wave(large, room), _plan_wave(small, room)]
        if sum(wave.seconds for wave in apart) < together.seconds:
            return apart
    return [together]


def count_jobs(costs: Iterable[Cost], room: Room) -> int:
    """Return how many of these fit into memory at once, even the largest: one, up to all cores."""
    if room.memory is None:
        return room.cores
    sizes = sorted((max(cost.memory, LEAST) for cost in costs), reverse=True)
    sums = accumulate([*sizes, *[LEAST] * room.cores][: room.cores])
    return max(1, sum(each * SPARE <= room.memory for each in sums))


def _plan_wave(units: Mapping[str, Cost], room: Room) -> Wave:
    longest = sorted(units, key=lambda name: units[name].seconds, reverse=True)
    jobs = count_jobs(units.values(), room)
    seconds = [units[name].seconds for name in longest]
    return Wave(longest, jobs, max(sum(seconds) / max(1, jobs), *seconds[:1], 0))
