"""The number of compiles at once: by their kinds, and by the room that there is."""

import re
from collections.abc import Iterable
from itertools import accumulate
from typing import Final

from kernel_builder.machine.room import Room

# Megabytes (2^20) for device code, which may be of large templates, for another compile with
# Torch's headers, and for everything else, such as linking.
DEVICE: Final = 3072
HOST: Final = 2048
LEAST: Final = 512
# The factor of memory for everything else that runs on the machine.
SPARE: Final = 1.1
# The ends of the names of steps that compile device code, for one target or for all.
_DEVICE: Final = re.compile(r"\.sm_\w+$|\.(cu|hip)\.o$")


def estimate_megabytes(step: str) -> int:
    """Return the memory that a compile of this name may take, by its kind."""
    return DEVICE if _DEVICE.search(step) else HOST


def count_jobs(megabytes: Iterable[int], room: Room) -> int:
    """Return how many of these fit into memory at once, even the largest: one, up to all cores."""
    if room.memory is None:
        return room.cores
    sizes = sorted(megabytes, reverse=True)
    sums = accumulate([*sizes, *[LEAST] * room.cores][: room.cores])
    return max(1, sum(each * SPARE * 2**20 <= room.memory for each in sums))
