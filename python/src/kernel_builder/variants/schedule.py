"""In which order Nix gets units to compile, and how many at once.

Nix has one number of jobs for a whole call, and takes what it can start in the order of names;
but what a call names itself, it can start before what that needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from kernel_builder.machine.limits import Room
from kernel_builder.variants.costs import Cost

# A unit that was never compiled here: with Torch's headers, or of templates for a GPU.
UNKNOWN: Final = Cost(seconds=20, memory=2 * 2**30)
# What any step is counted with: those that are not measured link, check and copy.
LEAST: Final = 2**29
# Of memory, for what runs beside.
SPARE: Final = 1.1


@dataclass(frozen=True)
class Wave:
    """One call of Nix: its units, the longest first, and the number of jobs."""

    units: Sequence[str]
    jobs: int


def plan_waves(units: Mapping[str, Cost], room: Room) -> list[Wave]:
    """Return the calls, the last of which is for all that is left.

    As many jobs as fit, whichever of the units they are. Where a few large ones would keep cores
    idle for the whole build, they are compiled before the others if that is faster.
    """
    together = [_plan(units, room)]
    share = room.memory / room.cores if room.memory is not None else 0
    large = {each: cost for each, cost in units.items() if share and cost.memory > share}
    small = {each: cost for each, cost in units.items() if each not in large}
    if not large or not small or together[0].jobs == room.cores:
        return together
    apart = [_plan(large, room), _plan(small, room)]
    seconds = _estimate(large, apart[0].jobs) + _estimate(small, apart[1].jobs)
    return apart if seconds < _estimate(units, together[0].jobs) else together


def count_jobs(costs: Iterable[Cost], room: Room) -> int:
    """Return how many fit at once even if these are the largest: one, up to all cores."""
    if room.memory is None:
        return room.cores
    sizes = sorted((max(cost.memory, LEAST) for cost in costs), reverse=True)
    most = accumulate([*sizes, *[LEAST] * room.cores][: room.cores])
    return max(1, sum(each * SPARE <= room.memory for each in most))


def _plan(units: Mapping[str, Cost], room: Room) -> Wave:
    longest = sorted(units, key=lambda each: units[each].seconds, reverse=True)
    return Wave(longest, count_jobs(units.values(), room))


def _estimate(units: Mapping[str, Cost], jobs: int) -> float:
    seconds = [cost.seconds for cost in units.values()]
    return max(sum(seconds) / jobs, *seconds)
