"""How many builds run at once: what the machine, or the container around it, has room for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kernel_builder.machine import limits
from kernel_builder.machine.limits import MEMORY_A_JOB, count_jobs


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the root of a machine with 8 cores and no file yet."""
    monkeypatch.setattr(limits, "Path", lambda name: tmp_path / name.lstrip("/"))
    monkeypatch.setattr(limits, "_cores", lambda: 8)
    return tmp_path


def give_memory(machine: Path, jobs: int) -> None:
    """Let so much memory be free that a number of jobs fits."""
    file = machine / "proc/meminfo"
    file.parent.mkdir()
    kibibytes = MEMORY_A_JOB * jobs // 1024
    # All numbers but the right one are far too large.
    file.write_text(
        f"MemTotal:  {kibibytes * 90} kB\nMemFree:  {kibibytes * 80} kB\n"
        f"MemAvailable:  {kibibytes + 5} kB\nSwapFree:  {kibibytes * 70} kB\n"
    )


def limit_container(machine: Path, limit: str, used: int) -> None:
    folder = machine / "sys/fs/cgroup"
    folder.mkdir(parents=True)
    (folder / "memory.max").write_text(f"{limit}\n")
    (folder / "memory.current").write_text(f"{used}\n")


@pytest.mark.parametrize(("memory", "jobs"), [(0, 1), (1, 1), (3, 3), (8, 8), (64, 8)])
def test_no_more_than_fits_into_memory_and_cores(machine: Path, memory: int, jobs: int) -> None:
    give_memory(machine, memory)
    assert count_jobs() == jobs


@pytest.mark.parametrize(
    ("limit", "used", "jobs"),
    [
        (str(6 * MEMORY_A_JOB), 2 * MEMORY_A_JOB, 4),
        (str(2 * MEMORY_A_JOB), 3 * MEMORY_A_JOB, 1),
        (str(90 * MEMORY_A_JOB), 0, 5),
        ("max", 0, 5),
        ("not a number", 0, 5),
    ],
)
def test_a_container_may_have_less(machine: Path, limit: str, used: int, jobs: int) -> None:
    give_memory(machine, 5)
    limit_container(machine, limit, used)
    assert count_jobs() == jobs


@pytest.mark.parametrize(("memory", "jobs"), [(2, 2), (100, 8)])
@pytest.mark.usefixtures("machine")
def test_a_machine_without_proc(monkeypatch: pytest.MonkeyPatch, memory: int, jobs: int) -> None:
    pages = {"SC_PHYS_PAGES": memory * MEMORY_A_JOB // 4096, "SC_PAGE_SIZE": 4096}
    monkeypatch.setattr(os, "sysconf", pages.__getitem__)
    assert count_jobs() == jobs


@pytest.mark.usefixtures("machine")
def test_a_machine_that_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sysconf_names", {})
    assert count_jobs() == 8


def test_only_cores_that_this_process_may_use_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_available_memory", lambda: 100 * MEMORY_A_JOB)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 3, 5}, raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    assert count_jobs() == 3
