"""The experiments; each is a function that takes one turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bench import first_kernel, one_unit
from bench.another_machine import find_obstacle
from bench.compared import Record, Subject, compare, compare_machines, salt
from bench.kernels import CPP, CUDA
from bench.measuring import Cost, measure, measure_import
from bench.ways import OURS, Ours, Project, kernel_builder
from tests.author.authoring import use_registries
from tests.cuda.cuda_kernel import ADD_SOURCE
from tests.evaluation import ROOT, SYSTEM, VARIANT, read_variant

# Builds whose Torch package registries have, the cheapest first.
BUILDS = ("213-cxx11-cu130", "214-cxx11-cu130", "211-cxx11-cu130", "215-cxx11-cu132")
VARIANTS = (VARIANT, *(f"torch{build}-{SYSTEM}" for build in BUILDS))
ON_CPU, ON_CUDA, NEXT_ON_CUDA, *_ = VARIANTS
Turn = Callable[[Path, int, Record], None]


@dataclass(frozen=True)
class Experiment:
    """A measurement that is made `times` times.

    A turn takes an empty folder, its number, and what keeps the costs. With an `obstacle`, which
    says what the machine lacks, there is none.
    """

    name: str
    subject: str
    times: int
    take_turn: Turn
    obstacle: str = ""


def quick(others: Sequence[Project]) -> Iterator[Experiment]:
    """Yield what takes minutes: small kernels, and for C++ not every way."""
    cmake, extension, _, _ = others
    yield of_template(2, cmake)
    yield of_first_kernel(1)
    yield of_torch_unit("torch-unit-quick", one_unit.CAPABILITIES[:2], 1)
    yield of_kernel("cuda-20", Subject(CUDA, 20, [ON_CUDA]), 1, [cmake, extension])
    yield of_kernel("cpp-2", Subject(CPP, 2, [ON_CPU]), 1, [cmake])


def full(others: Sequence[Project]) -> Iterator[Experiment]:
    """Yield all of it: hours. What a smaller kernel shows as well is left out of large ones."""
    cmake, extension, ccache, sccache = others
    yield of_template(5, cmake)
    yield of_first_kernel(3)
    yield of_torch_unit("torch-unit", one_unit.CAPABILITIES, 1)
    for units in (2, 20):
        cuda = Subject(CUDA, units, [ON_CUDA], NEXT_ON_CUDA)
        yield of_kernel(f"cuda-{units}", cuda, 1, others)
    yield of_kernel("cuda-100", Subject(CUDA, 100, [ON_CUDA]), 1, [cmake, extension, ccache])
    yield of_kernel("cpp-2", Subject(CPP, 2, [ON_CPU], ON_CUDA), 1, [cmake, extension, ccache])
    yield of_kernel("cpp-20", Subject(CPP, 20, [ON_CPU]), 1, [cmake, extension])
    yield of_machines("cpp-11x5", Subject(CPP, 11, VARIANTS), 1, [sccache])


def of_kernel(name: str, subject: Subject, times: int, others: Sequence[Project]) -> Experiment:
    """A kernel on one machine, in all ways."""
    turn = partial(compare, subject, others)
    return Experiment(name, subject.title, times, turn)


def of_machines(name: str, subject: Subject, times: int, others: Sequence[Project]) -> Experiment:
    """A kernel on one machine and then on another."""
    turn = partial(compare_machines, subject, others)
    return Experiment(name, subject.title, times, turn, find_obstacle())


def of_torch_unit(name: str, capabilities: Sequence[str], times: int) -> Experiment:
    """A CUDA unit that includes all of Torch."""

    def turn(folder: Path, number: int, record: Record) -> None:
        text = salt()
        unit = one_unit.with_torch(folder / "unit", text, capabilities)
        more = one_unit.with_torch(folder / "more", text, [*capabilities, "12.0a"])
        one_unit.compare(unit, ADD_SOURCE, folder, number, record)
        record("one capability added", OURS, one_unit.build_apart(more, ADD_SOURCE))

    subject = f"a CUDA unit with torch/all.h, {len(capabilities)} targets"
    return Experiment(name, subject, times, turn)


def of_published(kernels: Path, unit: one_unit.Published) -> Experiment:
    """A unit of a published kernel, whose folder is in `kernels`."""

    def turn(folder: Path, number: int, record: Record) -> None:
        variant = one_unit.of_published(kernels, folder / "kernel", salt(), unit)
        one_unit.compare(variant, unit.source, folder, number, record)

    return Experiment(unit.kernel, f"{Path(unit.source).name} of {unit.kernel}", 1, turn)


def of_first_kernel(times: int) -> Experiment:
    """A kernel for the CPU on a bare machine, from the checkout to the import."""
    subject = "the first kernel on a bare machine"
    obstacle = first_kernel.find_obstacle()
    return Experiment("first-kernel", subject, times, first_kernel.take_turn, obstacle)


def of_template(times: int, shell: Project) -> Experiment:
    """An edit of a template's unit, from the command to the checked variant."""
    subject = "the template of `init`, for the CPU"

    def turn(folder: Path, number: int, record: Record) -> None:
        kernel, source = folder / "hello", "hello_cpu/hello.cpp"
        words = (
            "--name",
            "me/hello",
            "--backends",
            "cpu",
            "--kernel-builder",
            f"git+file://{ROOT}",
        )
        measure(kernel_builder("init", str(kernel), *words))
        use_registries(kernel)
        ours = Ours()
        ours.build(kernel)
        with (kernel / source).open("a") as file:
            file.write(f"// {salt()}\n")
        item = read_variant(kernel).read_object(source)
        runs: list[tuple[str, Callable[[], Cost]]] = [
            (OURS, lambda: ours.build(kernel)),
            ("its compile alone", lambda: one_unit.compile_alone(item, folder / "alone")),
        ]
        costs = {name: run() for name, run in (runs if number % 2 == 0 else runs[::-1])}
        loaded = measure_import("import torch", shell.shells(ON_CPU))
        costs["its compile + import torch"] = costs["its compile alone"] + loaded
        for name, cost in costs.items():
            record("one unit edited", name, cost)
        record("nothing changed", OURS, ours.build(kernel))

    return Experiment("template", subject, times, turn)
