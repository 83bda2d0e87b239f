"""One kernel, built in all ways through what happens to it: each step by every way, in turns."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from bench.another_machine import Machine
from bench.kernels import CPP, CUDA, MORE_CAPABILITIES, Kernel, Kind
from bench.measuring import Cost
from bench.ways import OURS, Ours, Project, WithCache

# case, way, cost
Record = Callable[[str, str, Cost], None]


@dataclass(frozen=True)
class Subject:
    """A kernel to be built in its `variants`; `added` is another one, with another Torch."""

    kind: Kind
    units: int
    variants: Sequence[str]
    added: str | None = None

    @property
    def title(self) -> str:
        """The name in tables."""
        several = f", {len(self.variants)} variants" if len(self.variants) > 1 else ""
        return f"{self.units} {self.kind.title}{several}"


def salt() -> str:
    """Return a text that was never there before."""
    return f"{time.time_ns()}"


@dataclass
class Comparison:
    """A new kernel and the ways in which it is built; `turn` says which begins."""

    subject: Subject
    folder: Path
    ours: Ours
    others: Sequence[Project]
    turn: int
    record: Record
    cold: dict[str, Cost] = field(default_factory=dict)

    def __post_init__(self) -> None:
        subject = self.subject
        self.kernel = Kernel(self.folder / "kernel", subject.kind, subject.units, subject.variants)

    def prepare(self, variants: Sequence[str]) -> None:
        """Make what the other ways need besides the kernel, as it is now."""
        for way in self.others:
            way.prepare(self.kernel, variants)

    def step(self, case: str, variants: Sequence[str] | None = None) -> dict[str, Cost]:
        """Build in all ways; the others only `variants`, for they have a folder for each."""
        theirs = variants or self.kernel.variants
        runs: list[tuple[str, Callable[[], Cost]]] = [
            (OURS, lambda: self.ours.build(self.kernel.folder)),
            *((way.name, partial(way.build, self.kernel, theirs)) for way in self.others),
        ]
        begin, costs = self.turn % len(runs), {}
        for name, run in (*runs[begin:], *runs[:begin]):
            costs[name] = run()
            self.record(case, name, costs[name])
        return costs

    def step_with_import(self, case: str) -> None:
        """Build in all ways; add the builds without a cache with an import after them."""
        costs = self.step(case)
        for way in self.others:
            if not isinstance(way, WithCache):
                imported = way.import_made(self.kernel, self.kernel.variants)
                self.record(case, f"{way.name} + import", costs[way.name] + imported)

    def against_cold(self, case: str, cost: Cost, **others: Cost) -> None:
        """Record a case that the others do not know: for them it is to build from nothing."""
        for name, other in {**self.cold, **others, OURS: cost}.items():
            self.record(case, name, other)

    def warm_up(self) -> None:
        """Put into the store what kernels are built with: one has been built before."""
        variants = [*self.subject.variants, *filter(None, [self.subject.added])]
        warm = Kernel(self.folder / "warm", self.subject.kind, 1, variants)
        warm.write_all("")
        Ours().build(warm.folder)

    def begin(self) -> None:
        """Build what nobody has built, with a flag that no header has been precompiled with."""
        self.warm_up()
        if self.subject.kind is CPP:
            self.kernel.cxx_flags = [f"-DTURN={salt()}"]
        self.kernel.write_all(salt())
        self.prepare(self.subject.variants)
        self.cold = self.step("cold")
        if self.kernel.has_precompiled and len(self.subject.variants) == 1:
            again = replace(self.kernel, folder=self.folder / "again", copies=[])
            for case, precompiled in (("headers warm", "null"), ("no header tricks", "false")):
                again.precompiled = precompiled
                again.write_all(salt())
                self.against_cold(case, self.ours.build(again.folder))

    def edit(self) -> None:
        """Build nothing, then after edits of a unit, of a header, and of what is built for."""
        subject, kernel = self.subject, self.kernel
        self.step("nothing changed")
        self.edit_unit()
        self.step_with_import("one unit edited")
        kernel.salt_header(salt())
        self.step_with_import("one header edited")
        if subject.kind is CUDA:
            kernel.capabilities = MORE_CAPABILITIES
            kernel.configure()
            self.prepare(subject.variants)
            self.step("one capability added")
        if subject.added:
            kernel.variants = [*subject.variants, subject.added]
            kernel.configure()
            self.prepare([subject.added])
            self.step("one Torch added", [subject.added])

    def edit_unit(self) -> None:
        """Change the last unit."""
        self.kernel.salt_units(salt(), [self.subject.units - 1])


def compare(
    subject: Subject, others: Sequence[Project], folder: Path, turn: int, record: Record
) -> None:
    """Take a kernel through all cases."""
    comparison = Comparison(subject, folder, Ours(), others, turn, record)
    comparison.begin()
    comparison.edit()


def compare_machines(
    subject: Subject, others: Sequence[Project], folder: Path, turn: int, record: Record
) -> None:
    """Take a kernel through edits on one machine, then to a second one that has a cache."""
    one, two, cache = Machine(folder / "one"), Machine(folder / "two"), folder / "cache"
    comparison = Comparison(subject, folder, Ours(one.within), others, turn, record)
    comparison.begin()
    comparison.step("nothing changed")
    comparison.edit_unit()
    comparison.step("one unit edited")
    one.push(cache)
    comparison.edit_unit()
    options = ["--option", "substituters", f"file://{cache}", "--option", "require-sigs", "false"]
    second = Ours(two.within, options)
    cost = second.build(comparison.kernel.folder)
    caching = (way for way in others if isinstance(way, WithCache))
    elsewhere = {
        way.name: way.build_elsewhere(comparison.kernel, subject.variants) for way in caching
    }
    comparison.against_cold("the same on a fresh machine with the cache", cost, **elsewhere)
