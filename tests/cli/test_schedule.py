"""The order of compiles and the number at once follow from what each took before."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from kernel_builder.variants.jobs import LEAST, Cost, Costs, Room, count_jobs
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
        # What was never measured takes something, too.
        ([], 2.2, 4),
        ([0.01] * 20, 2.2, 4),
        # What runs beside takes something, too.
        ([1] * 20, 4, 3),
    ],
)
def test_as_many_as_fit_whichever_they_are(sizes: list[float], memory: float, jobs: int) -> None:
    units = [Cost(1, int(size * 1024)) for size in sizes]
    assert count_jobs(units, Room(8, int(memory * GB) + 1)) == jobs
    assert count_jobs(units, Room(8, None)) == 8
    assert LEAST == 512


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "kernel-builder" / "costs.json"


def remember(cache: Path, costs: Mapping[str, tuple[float, int]]) -> None:
    cache.parent.mkdir(parents=True, exist_ok=True)
    cache.write_text(json.dumps(costs))


def drv(name: str) -> str:
    return f"/nix/store/{'0' * 32}-{name}.drv"


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
    names = ("k-torch213-cu130-a.cu.sm_75", "k-torch214-cu130-a.cu.sm_100")
    remember(cache, dict(zip(names, ((9.0, 100), (1.0, 200)))))
    assert Costs().predict(drv(name)) == (Cost(9, 200) if is_known else None)


def test_a_step_takes_what_it_took(cache: Path) -> None:
    remember(cache, {"k-a.cu.sm_75": (9.0, 100), "k-a.cu.sm_80": (1.0, 200)})
    assert Costs().predict(drv("k-a.cu.sm_80")) == Cost(1, 200)


@pytest.mark.parametrize("text", ["", "[]", "no JSON", '{"k-a.cpp.o": [["compiler", 1.5, 9]]}'])
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
    # Programs run one after another.
    second = f"echo '{SAYS % 'ptxas: 1.50 s, 90 MB'}'; echo x > $out"
    units.add("k-a.cpp.o", "cicc: 3.25 s, 812 MB", second)
    units.add("k-b.cpp.o", "no such thing")
    done = units.build("-L")
    assert done.status == 0, done.stderr
    assert json.loads(cache.read_text()) == {"k-a.cpp.o": [4.75, 812]}
    # It is nothing that people have to read.
    assert "812" not in done.stderr


def test_nix_begins_with_the_longest(units: Units, cache: Path) -> None:
    names = ["k-a.cpp.o", "k-b.cpp.o", "k-c.cpp.o"]
    remember(cache, {name: (float(n), 1) for n, name in enumerate(names)})
    for name in names:
        units.add(name)
    done = units.build("--max-jobs", "1")
    assert started(done) == ["k-c.cpp.o", "k-a.cpp.o", "k-b.cpp.o", "k-v", "k"], done.stderr
