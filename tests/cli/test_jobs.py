"""The number of steps that run at once, and the steps that begin."""

import os
import re
from pathlib import Path

import pytest

from kernel_builder.machine import room as of_machine
from kernel_builder.machine.room import LEAST, Room, count_jobs, find_room
from tests.cli.command_line import Cli, Ran
from tests.cli.fake_kernel import SYSTEM, FakeKernel
from tests.cli.store import Store
from tests.tiny_kernel import write_files

GB = 10**9


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the root of a machine with 8 cores and no file yet."""
    monkeypatch.setattr(of_machine, "Path", lambda name: tmp_path / name.lstrip("/"))
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(8), raising=False)
    return tmp_path


def write(machine: Path, **files: object) -> None:
    write_files(machine, {name: f"{words}\n" for name, words in files.items()})


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
        # Files that were read and are not used any more make room.
        (
            {
                "memory.max": 6 * GB,
                "memory.current": 5 * GB,
                "memory.stat": f"anon {GB}\ninactive_file {3 * GB}\nactive_file {GB}",
            },
            Room(8, 4 * GB),
        ),
        ({"cpu.max": "250000 100000"}, Room(2, None)),
        ({"cpu.max": "50000 100000"}, Room(1, None)),
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


SAYS = '@nix {\\"action\\": \\"setPhase\\", \\"phase\\": \\"%s\\"}'


@pytest.mark.parametrize(
    ("sizes", "memory", "jobs"),
    [
        ([], 100, 8),
        ([3] * 20, 10, 3),
        # The large one may be among those that run at once, however many small ones there are.
        ([6, *[1] * 20], 11, 5),
        ([20], 10, 1),
        ([1], 0, 1),
        # Steps that compile nothing take some memory, too.
        ([], 2.2, 4),
        # Other programs take some memory, too.
        ([1] * 20, 4, 3),
    ],
)
def test_as_many_as_fit_whichever_they_are(sizes: list[float], memory: float, jobs: int) -> None:
    units = [int(size * 1024) for size in sizes]
    assert count_jobs(units, Room(8, int(memory * 2**30) + 1)) == jobs
    assert count_jobs(units, Room(8, None)) == 8
    assert LEAST == 512


class Units:
    """A kernel whose one variant is made of units that say what they took."""

    def __init__(self, kernel: FakeKernel, store: Store, cli: Cli) -> None:
        self.kernel, self.store, self.cli = kernel, store, cli
        self.expressions: list[str] = []

    def add(
        self,
        name: str,
        phase: str = "",
        script: str = "echo x > $out",
        step: str = "compile",
        arch: str = "",
    ) -> None:
        """Add a step of this kind; `arch` is the target of device code."""
        say = f"echo '{SAYS % phase}'; " if phase else ""
        words = f'name = "{name}"; system = "{SYSTEM}"; builder = "/bin/sh"; source = "a.cpp"; '
        words += f'step = "{step}"; arch = "{arch}"; '
        more = f'flags = ""; salt = "{self.kernel.salt}"; args = [ "-c" "{say}{script}" ];'
        expression = f"(derivation {{ {words}{more} }})"
        self.store.instantiate(expression)
        self.expressions.append(expression)

    def build(self, *words: str, **variant: str) -> Ran:
        self.kernel.add("v", sources=f"[ {' '.join(self.expressions)} ]", **variant)
        return self.cli("build", str(self.kernel.write()), *words)


@pytest.fixture
def units(kernel: FakeKernel, store: Store, cli: Cli) -> Units:
    return Units(kernel, store, cli)


def started(done: Ran) -> list[str]:
    return re.findall(r"^building (\S+)$", done.stderr, re.MULTILINE)


@pytest.mark.parametrize(
    ("first", "other"), [("precompile", "host"), ("host", "device"), ("device", "compile")]
)
def test_nix_begins_with_what_takes_long(units: Units, first: str, other: str) -> None:
    for name in "acdefgh":
        units.add(f"k-{name}.o", step=other)
    units.add("k-b.first", step=first)
    done = units.build("--max-jobs", "1", "-v")
    names = started(done)
    assert (names[0], names[-2:], len(names)) == ("k-b.first", ["k-v", "k"], 10), done.stderr
