"""In which order units are compiled and how many at once: by what each took before."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from kernel_builder.machine.limits import Room
from kernel_builder.variants.costs import Cost, Costs
from kernel_builder.variants.schedule import LEAST, Wave, count_jobs, plan_waves
from tests.cli.command_line import Cli, Ran
from tests.cli.fake_kernel import SYSTEM, FakeKernel
from tests.cli.store import Store

GB = 2**30
SAYS = '@nix {\\"action\\": \\"setPhase\\", \\"phase\\": \\"%s\\"}'


def costs(**units: tuple[float, float]) -> dict[str, Cost]:
    return {name: Cost(seconds, int(size * GB)) for name, (seconds, size) in units.items()}


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
        # What was never measured takes something, too.
        ([], 2.2, 4),
        ([0.01] * 20, 2.2, 4),
        # What runs beside takes something, too.
        ([1] * 20, 4, 3),
    ],
)
def test_as_many_as_fit_whichever_they_are(sizes: list[float], memory: float, jobs: int) -> None:
    units = [Cost(1, int(size * GB)) for size in sizes]
    assert count_jobs(units, Room(8, int(memory * GB) + 1)) == jobs
    assert count_jobs(units, Room(8, None)) == 8
    assert LEAST == GB // 2


def test_the_longest_come_first() -> None:
    units = costs(a=(1, 1), b=(9, 1), c=(5, 1), d=(7, 1))
    assert plan_waves(units, Room(2, 8 * GB)) == [Wave(["b", "d", "c", "a"], 2, seconds=11)]
    assert plan_waves({}, Room(2, 8 * GB)) == [Wave([], 2, seconds=0)]


def test_large_units_are_compiled_apart_where_all_cores_serve_the_others() -> None:
    large = {f"large{number}": (30.0, 6.0) for number in range(4)}
    small = {f"small{number}": (10.0 + number, 0.5) for number in range(80)}
    waves = plan_waves(costs(**large, **small), Room(8, 14 * GB))
    assert [(wave.units, wave.jobs) for wave in waves] == [
        (list(large), 2),
        ([f"small{number}" for number in reversed(range(80))], 8),
    ]


def test_large_units_stay_with_the_others_where_cores_would_wait_for_them() -> None:
    # One that takes as long as all others together.
    units = {"large": (100.0, 2.0), **{f"small{number}": (10.0, 1.0) for number in range(10)}}
    assert len(plan_waves(costs(**units), Room(8, 8 * GB))) == 1
    # None is smaller than another.
    assert len(plan_waves(costs(a=(1, 6), b=(1, 6)), Room(8, 12 * GB))) == 1


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "kernel-builder" / "costs.json"


def remember(cache: Path, parts: Mapping[str, list[tuple[str, float, int]]]) -> None:
    cache.parent.mkdir(parents=True, exist_ok=True)
    cache.write_text(json.dumps(parts))


def drv(name: str) -> str:
    return f"/nix/store/{'0' * 32}-{name}.drv"


def test_parts_run_one_after_another(cache: Path) -> None:
    remember(cache, {"k-cu130-a.cu.sm_80": [("cicc", 4.5, 900), ("ptxas", 1.5, 1000)]})
    assert Costs().predict(drv("k-cu130-a.cu.sm_80")) == Cost(6, 1000 * 2**20)


@pytest.mark.parametrize(
    ("name", "is_known"),
    [
        ("k-torch213-cu130-a.cu.sm_80", True),
        ("k-torch215-cu132-a.cu.sm_90a", True),
        ("k-torch213-cu130-b.cu.sm_80", False),
        ("k-torch213-cu130-a.cu.host.o", False),
        ("other-torch213-cu130-a.cu.sm_80", False),
    ],
)
def test_a_unit_takes_what_it_took_with_another_torch(
    cache: Path, name: str, is_known: bool
) -> None:
    small, large = [("cicc", 9.0, 100)], [("cicc", 1.0, 200)]
    names = ("k-torch213-cu130-a.cu.sm_75", "k-torch214-cu130-a.cu.sm_100")
    remember(cache, dict(zip(names, (small, large))))
    assert (Costs().predict(drv(name)) == Cost(9, 200 * 2**20)) is is_known


@pytest.mark.parametrize("text", ["", "[]", "no JSON", '{"k-a.cpp.o": [["compiler", "x"]]}'])
def test_a_broken_cache_is_none(cache: Path, text: str) -> None:
    cache.parent.mkdir(parents=True)
    cache.write_text(text)
    assert Costs().predict(drv("k-a.cpp.o")) is None


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


def test_what_a_build_took_is_there_for_the_next(units: Units, cache: Path) -> None:
    units.add("k-a.cpp.o", "compiler: 3.25 s, 812 MB")
    units.add("k-b.cpp.o", "no such thing")
    done = units.build("-L")
    assert done.status == 0, done.stderr
    assert json.loads(cache.read_text()) == {"k-a.cpp.o": [["compiler", 3.25, 812]]}
    # It is nothing that people have to read.
    assert "812" not in done.stderr


def test_nix_begins_with_the_longest(units: Units, cache: Path) -> None:
    names = ["k-a.cpp.o", "k-b.cpp.o", "k-c.cpp.o"]
    remember(cache, {name: [("compiler", float(n), 1)] for n, name in enumerate(names)})
    for name in names:
        units.add(name)
    done = units.build("--max-jobs", "1")
    assert started(done) == ["k-c.cpp.o", "k-a.cpp.o", "k-b.cpp.o", "k-v", "k"], done.stderr


def test_large_units_in_a_call_of_their_own(units: Units, cache: Path) -> None:
    # No machine has memory for it and another one.
    took = {"k-z.cpp.o": [("compiler", 1.0, 10**9)]}
    took |= {f"k-{name}.cpp.o": [("compiler", 1.0, 1)] for name in "abc"}
    remember(cache, took)
    for name in took:
        units.add(name)
    done = units.build()
    assert started(done)[0] == "k-z.cpp.o"
    assert len(started(done)) == 6


def test_what_failed_is_not_tried_again(units: Units, cache: Path) -> None:
    many = [f"k-{number}.cpp.o" for number in range(9)]
    large = {"k-z.cpp.o": [("compiler", 1.0, 10**9)]}
    remember(cache, large | {name: [("compiler", 9.0, 1)] for name in many})
    units.add("k-z.cpp.o", script="echo z.cpp:3:5: error: no such thing; exit 1")
    for name in many:
        units.add(name)
    units.kernel.add("w")
    done = units.build()
    assert done.status == 1
    assert started(done).count("k-z.cpp.o") == 1
    assert {*many, "k-w"} <= set(started(done))
    assert "v        failed        k-z.cpp.o" in done.stdout
    assert "w        built" in done.stdout
