"""The number of compiles that run at once, by their kinds and by the free cores and memory."""

import os
import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path, PurePosixPath
from typing import Final

CGROUPS: Final = "/sys/fs/cgroup"
# Kinds of steps that compile a unit or what it needs, in the order in which they begin: units wait
# for a precompiled header, and a host part with Torch takes as long as the code for ten targets.
# Megabytes (2^20) that one may take: device code may be of large templates, the others have Torch's
# headers.
COMPILES: Final = {"precompile": 2048, "host": 2048, "device": 3072, "whole": 3072, "compile": 2048}
# Megabytes for everything else, such as linking.
LEAST: Final = 512
# The factor of memory for everything else that runs on the machine.
SPARE: Final = 1.1


@dataclass(frozen=True)
class Room:
    """Cores, at least one, and free memory in bytes; None if it is not known."""

    cores: int
    memory: int | None


def find_room() -> Room:
    """Return what is free; a container, and each one around it, may have less than the machine."""
    available = re.search(r"^MemAvailable: +(\d+)", _read("/proc/meminfo"), re.MULTILINE)
    amounts = [int(available[1]) * 1024] if available else []
    # macOS has no such function.
    find_cores = getattr(os, "sched_getaffinity", lambda _: range(os.cpu_count() or 1))
    shares = [float(len(find_cores(0)))]
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


def _read(name: str) -> str:
    """Return the text of a file, an empty one if it is not there."""
    with suppress(OSError):
        return Path(name).read_text()
    return ""


def count_jobs(megabytes: Iterable[int], room: Room) -> int:
    """Return how many of these fit into memory at once, even the largest: one, up to all cores."""
    if room.memory is None:
        return room.cores
    sizes = sorted(megabytes, reverse=True)
    sums = accumulate([*sizes, *[LEAST] * room.cores][: room.cores])
    return max(1, sum(each * SPARE * 2**20 <= room.memory for each in sums))
