"""The cores and the memory that are free for builds, on this machine or in its container."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

CGROUPS: Final = "/sys/fs/cgroup"


@dataclass(frozen=True)
class Room:
    """Cores, at least one, and free memory in bytes; None if it is not known."""

    cores: int
    memory: int | None


def find_room() -> Room:
    """Return what is free; a container, and each one around it, may have less than the machine."""
    amounts, shares = [], [float(_count_cores())]
    with suppress(OSError, ValueError):
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                amounts.append(int(line.split()[1]) * 1024)
    if not amounts and "SC_PHYS_PAGES" in os.sysconf_names:
        amounts.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    for group in _list_groups():
        used, stat = _read(group, "memory.current"), _read(group, "memory.stat")
        # Files that are only cached count as free.
        cached = int(dict(zip(stat[::2], stat[1::2])).get("inactive_file", 0))
        for limit in [*_read(group, "memory.max"), *_read(group, "memory.high")]:
            if used and limit.isdigit():
                amounts.append(max(0, int(limit) - int(used[0]) + cached))
        quota, *period = _read(group, "cpu.max") or ["max"]
        shares += [int(quota) / int(period[0])] if quota.isdigit() and period else []
    return Room(max(1, int(min(shares))), min(amounts, default=None))


def _count_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _read(group: Path, name: str) -> list[str]:
    """Return the words of a file of a control group, none if it is not there."""
    with suppress(OSError):
        return (group / name).read_text().split()
    return []


def _list_groups() -> Iterator[Path]:
    """Yield the control groups (version 2) of this process and those around them.

    A container may see its own group as the root, whatever its name is outside.
    """
    with suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            if line.startswith("0::"):
                top = Path(CGROUPS)
                below = top / line[len("0::") :].strip("/")
                yield from [
                    each for each in (below, *below.parents) if top in (each, *each.parents)
                ]
