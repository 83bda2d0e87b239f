"""One kernel, built in all ways through what happens to it: each step by every way, in turns."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from bench.another_machine import Machine
from bench.kernels import CPP, CUDA, MORE_CAPABILITIES, Kernel, Kind
from bench.measuring import Cost, FailedError
from bench.ways import OURS, Ours, Project, WithCache

# case, way, cost; or why it failed
Record = Callable[[str, str, Cost | FailedError], None]


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

    def attempt(
        self, case: str, way: Project, do: Callable[..., Cost | None], variants: Sequence[str]
    ) -> Cost | None:
        """Let another way do something; one that fails ends here, with its message."""
        try:
            return do(self.kernel, variants)
        except FailedError as failure:
            self.record(case, way.name, failure)
            self.others = [each for each in self.others if each is not way]
            return None

    def prepare(self, case: str, variants: Sequence[str]) -> None:
        """Make what the other ways need besides the kernel, as it is now."""
        for way in self.others:
            self.attempt(case, way, way.prepare, variants)

    def step(self, case: str, variants: Sequence[str] | None = None) -> dict[str, Cost]:
        """Build in all ways; the others only `variants`, for they have a folder for each."""
        theirs = variants or self.kernel.variants
        runs: list[tuple[str, Callable[[], Cost | None]]] = [
            (OURS, lambda: self.ours.build(self.kernel.folder)),
            *(
                (way.name, partial(self.attempt, case, way, way.build, theirs))
                for way in self.others
            ),
        ]
        begin, costs = self.turn % len(runs), {}
        for name, run in (*runs[begin:], *runs[:begin]):
            if cost := run():
                costs[name] = cost
                self.record(case, name, cost)
        return costs

    def step_with_import(self, case: str) -> None:
        """Build in all ways; add the builds without a cache with an import after them."""
        costs = self.step(case)
        for way in self.others:
            if isinstance(way, WithCache):
                continue
            if imported := self.attempt(case, way, way.import_made, self.kernel.variants):
                self.record(case, f"{way.name} + import", costs[way.name] + imported)

    def against_cold(self, case: str, cost: Cost, **others: Cost) -> None:
        """Record a case that the others do not know: for them it is to build from nothing."""
        for name, other in {**self.cold, **others, OURS: cost}.items():
            self.record(case, name, other)

    def warm_up(self, variants: Sequence[str]) -> None:
        """Put into the store what kernels are built with: one has been built before."""
        warm = Kernel(self.folder / "warm", self.subject.kind, 1, variants)
        warm.write_all("")
        Ours().build(warm.folder)

    def begin(self) -> None:
        """Build what nobody has built, with a flag that no header has been precompiled with."""
        self.warm_up(self.subject.variants)
        if self.subject.kind is CPP:
            self.kernel.cxx_flags = [f"-DTURN={salt()}"]
        self.kernel.write_all(salt())
        self.prepare("cold", self.subject.variants)
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
            self.prepare("one capability added", subject.variants)
            self.step("one capability added")
        if subject.added:
            self.add_torch("one Torch added", subject.added)

    def add_torch(self, case: str, variant: str) -> None:
        """Build one variant more, if this machine can get its Torch."""
        try:
            self.warm_up([variant])
        except FailedError as failure:
            self.record(case, OURS, failure)
            return
        self.kernel.variants = [*self.subject.variants, variant]
        self.kernel.configure()
        self.prepare(case, [variant])
        self.step(case, [variant])

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
    case, elsewhere = "the same on a fresh machine with the cache", {}
    for way in (each for each in comparison.others if isinstance(each, WithCache)):
        if built := comparison.attempt(case, way, way.build_elsewhere, subject.variants):
            elsewhere[way.name] = built
    comparison.against_cold(case, cost, **elsewhere)
