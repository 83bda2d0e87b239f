"""The order of compiles and the number at once follow from their kinds."""

from __future__ import annotations

import re

import pytest

from kernel_builder.machine.room import Room
from kernel_builder.variants.jobs import LEAST, count_jobs, estimate_megabytes
from tests.cli.command_line import Cli, Ran
from tests.cli.fake_kernel import SYSTEM, FakeKernel
from tests.cli.store import Store

GB = 2**30
SAYS = '@nix {\\"action\\": \\"setPhase\\", \\"phase\\": \\"%s\\"}'


@pytest.mark.parametrize(
    ("sizes", "memory", "jobs"),
    [
        ([], 100, 8),
        ([1] * 20, 100, 8),
        ([3] * 20, 10, 3),
        # The large one may be among those that run at once, however many small ones there are.
        ([6, *[1] * 20], 11, 5),
        ([6], 11, 8),
        ([20], 10, 1),
        ([1], 0, 1),
        # What is no compile takes something, too.
        ([], 2.2, 4),
        # What runs beside takes something, too.
        ([1] * 20, 4, 3),
    ],
)
def test_as_many_as_fit_whichever_they_are(sizes: list[float], memory: float, jobs: int) -> None:
    units = [int(size * 1024) for size in sizes]
    assert count_jobs(units, Room(8, int(memory * GB) + 1)) == jobs
    assert count_jobs(units, Room(8, None)) == 8
    assert LEAST == 512


@pytest.mark.parametrize(
    ("name", "megabytes"),
    [
        ("k-torch213-cu130-a.cu.sm_90a", 3072),
        ("k-torch213-rocm70-a.hip.o", 3072),
        ("k-torch213-cu130-a.cu.host.o", 2048),
        ("k-torch213-cpu-a.cpp.o", 2048),
    ],
)
def test_the_kind_of_a_step_says_what_it_may_take(name: str, megabytes: int) -> None:
    assert estimate_megabytes(name) == megabytes


# ---- real builds ----


class Units:
    """A kernel whose one variant is made of units that say what they took."""

    def __init__(self, kernel: FakeKernel, store: Store, cli: Cli) -> None:
        self.kernel, self.store, self.cli = kernel, store, cli
        self.expressions: list[str] = []

    def add(self, name: str, phase: str = "", script: str = "echo x > $out") -> None:
        say = f"echo '{SAYS % phase}'; " if phase else ""
        words = f'name = "{name}"; system = "{SYSTEM}"; builder = "/bin/sh"; source = "a.cpp"; '
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
    return re.findall(r"^building (\S+) ", done.stderr, re.MULTILINE)


def test_what_a_build_took_is_nothing_that_people_read(units: Units) -> None:
    units.add("k-a.cpp.o", "cicc: 3.25 s, 812 MB")
    units.add("k-b.cpp.o", "no such thing")
    done = units.build("-L")
    assert done.status == 0, done.stderr
    assert "812" not in done.stderr


def test_nix_begins_with_device_code(units: Units) -> None:
    for name in ("k-a.cpp.o", "k-b.cu.sm_90"):
        units.add(name)
    done = units.build("--max-jobs", "1")
    assert started(done) == ["k-b.cu.sm_90", "k-a.cpp.o", "k-v", "k"], done.stderr
