"""What this machine, or the container around this process, has: cores and memory."""

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
    """Cores, at least one, and bytes of memory that are free to use; None if nobody knows."""

    cores: int
    memory: int | None


def find_room() -> Room:
    """Return what is free; a container, and each one around it, may have less than the machine."""
    amounts, shares = [], [float(_cores())]
    with suppress(OSError, ValueError):
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                amounts.append(int(line.split()[1]) * 1024)
    if not amounts and "SC_PHYS_PAGES" in os.sysconf_names:
        amounts.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    for group in _groups():
        amounts += group.free_memory()
        shares += group.cores()
    return Room(max(1, int(min(shares))), min(amounts, default=None))


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass(frozen=True)
class _Group:
    """A control group of Linux, of the second version or of the first."""

    folder: Path

    def _read(self, *names: str) -> list[str]:
        """Return the words of the first of these files that there is."""
        for name in names:
            with suppress(OSError):
                return (self.folder / name).read_text().split()
        return []

    def free_memory(self) -> list[int]:
        """Return the bytes below its limits; files that are only cached count as free."""
        limits = [*self._read("memory.max", "memory.limit_in_bytes"), *self._read("memory.high")]
        used = self._read("memory.current", "memory.usage_in_bytes")
        stat = self._read("memory.stat")
        cached = dict(zip(stat[::2], stat[1::2]))
        idle = int(cached.get("total_inactive_file") or cached.get("inactive_file") or 0)
        if not used:
            return []
        return [max(0, int(each) - int(used[0]) + idle) for each in limits if each.isdigit()]

    def cores(self) -> list[float]:
        """Return the cores' worth of time that it may use, if that is limited."""
        first = [*self._read("cpu.cfs_quota_us"), *self._read("cpu.cfs_period_us")]
        quota, *period = self._read("cpu.max") or first or ["max"]
        return [int(quota) / int(period[0])] if quota.isdigit() and period else []


def _groups() -> Iterator[_Group]:
    """Yield the groups that this process is in, and those around them, as far as they are seen.

    A container may see its own group as the root, whatever its name is outside.
    """
    with suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            _, controllers, place = line.split(":", 2)
            for mount in {controllers, *controllers.split(",")}:
                top = Path(CGROUPS) / mount
                below = top / place.strip("/")
                for folder in (below, *below.parents):
                    if folder == top.parent:
                        break
                    if folder.is_dir():
                        yield _Group(folder)
