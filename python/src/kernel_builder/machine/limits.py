"""How many builds this machine can carry at once: by its cores, and by its memory."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

# What a compiler takes for a unit that includes Torch's headers, with some room.
MEMORY_A_JOB: Final = 2 * 1024**3


def count_jobs() -> int:
    """Return the number of builds to run at once, at least one."""
    memory = _available_memory()
    by_memory = memory // MEMORY_A_JOB if memory is not None else _cores()
    return max(1, min(_cores(), by_memory))


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _available_memory() -> int | None:
    """Return the bytes that are free to use, within the limit of a container."""
    amounts = []
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                amounts.append(int(line.split()[1]) * 1024)
        limit = Path("/sys/fs/cgroup/memory.max").read_text().strip()
        used = int(Path("/sys/fs/cgroup/memory.current").read_text())
        if limit != "max":
            amounts.append(max(0, int(limit) - used))
    except (OSError, ValueError):
        pass
    if not amounts and "SC_PHYS_PAGES" in os.sysconf_names:
        amounts.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    return min(amounts, default=None)
