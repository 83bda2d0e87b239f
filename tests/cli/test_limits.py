"""What the machine, or the containers around a build, have room for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kernel_builder.machine import room as of_machine
from kernel_builder.machine.room import Room, find_room

GB = 10**9


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the root of a machine with 8 cores and no file yet."""
    monkeypatch.setattr(of_machine, "Path", lambda name: tmp_path / name.lstrip("/"))
    monkeypatch.setattr(of_machine, "_count_cores", lambda: 8)
    return tmp_path


def write(machine: Path, **files: object) -> None:
    """Write files by their paths, a word for each."""
    for name, words in files.items():
        file = machine / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{words}\n")


def give_memory(machine: Path, size: int) -> None:
    # All numbers but the right one are far too large.
    kibibytes = size // 1024
    lines = [("MemTotal", 90), ("MemFree", 80), ("MemAvailable", 1), ("SwapFree", 70)]
    text = "\n".join(f"{name}:  {kibibytes * times} kB" for name, times in lines)
    write(machine, **{"proc/meminfo": text})


def test_a_machine_without_containers(machine: Path) -> None:
    give_memory(machine, 4096 * 1024)
    assert find_room() == Room(8, 4096 * 1024)


@pytest.mark.parametrize(
    ("files", "room"),
    [
        ({"memory.max": 6 * GB, "memory.current": 2 * GB}, Room(8, 4 * GB)),
        ({"memory.max": 2 * GB, "memory.current": 3 * GB}, Room(8, 0)),
        ({"memory.max": "max", "memory.current": GB}, Room(8, None)),
        ({"memory.max": "not a number", "memory.current": 0}, Room(8, None)),
        # Files that were read and are not used any more make room.
        (
            {
                "memory.max": 6 * GB,
                "memory.current": 5 * GB,
                "memory.stat": f"anon {GB}\ninactive_file {3 * GB}\nactive_file {GB}",
            },
            Room(8, 4 * GB),
        ),
        ({"cpu.max": "300000 100000"}, Room(3, None)),
        ({"cpu.max": "250000 100000"}, Room(2, None)),
        ({"cpu.max": "50000 100000"}, Room(1, None)),
        ({"cpu.max": "9900000 100000"}, Room(8, None)),
        ({"cpu.max": "max 100000"}, Room(8, None)),
    ],
)
def test_a_container(machine: Path, files: dict[str, object], room: Room) -> None:
    write(machine, **{"proc/self/cgroup": "0::/"})
    write(machine, **{f"sys/fs/cgroup/{name}": words for name, words in files.items()})
    assert find_room() == room


def test_a_container_in_a_container_has_what_the_smaller_one_has(machine: Path) -> None:
    write(machine, **{"proc/self/cgroup": "0::/outer/inner/own"})
    top = "sys/fs/cgroup"
    for name, limit, used in (("outer", 5 * GB, 3 * GB), ("outer/inner", 4 * GB, GB)):
        folder = f"{top}/{name}"
        write(machine, **{f"{folder}/memory.max": limit, f"{folder}/memory.current": used})
    write(machine, **{f"{top}/outer/inner/own/cpu.max": "400000 100000"})
    write(machine, **{f"{top}/outer/cpu.max": "200000 100000"})
    assert find_room() == Room(2, 2 * GB)


@pytest.mark.usefixtures("machine")
def test_a_machine_that_says_nothing() -> None:
    assert find_room() == Room(8, None)


def test_only_cores_that_this_process_may_use_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(of_machine, "_read", lambda _: "")
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 3, 5}, raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    assert find_room().cores == 3
