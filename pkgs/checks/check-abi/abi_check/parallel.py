"""Finds units whose loops for Torch's threads run on one thread, because they were compiled without OpenMP.

The headers of Torch decide it in each unit: `at::parallel_for` of a unit that knows OpenMP calls OpenMP or
Torch's pool of threads, and that of another one runs the loop itself. Both guard the loop by the same class.
"""

from collections.abc import Iterator

from checking.problem import Problem

from abi_check.binary import find_units
from abi_check.rules import Check

HEADLINE = "loops for several threads run on one"
# The constructor of c10::ParallelGuard, which only such loops call.
GUARD = "_ZN3c1013ParallelGuardC1Eb"
RUNTIMES = ("GOMP_parallel", "__kmpc_fork_call", "_ZN2at8internal15invoke_parallelElllRKSt8functionIFvllEE")


def find_serial_loops(check: Check) -> "Iterator[Problem]":
    """Yield a problem for each unit with such a loop and without a runtime that has threads."""
    if GUARD not in {symbol.name for symbol in check.binary.wanted}:
        return
    threaded = {unit for name in RUNTIMES for unit in find_units(name, check.objects)}
    for unit in find_units(GUARD, check.objects):
        if unit not in threaded:
            yield Problem(
                at=unit,
                found="at::parallel_for, compiled without OpenMP",
                want="a unit whose loops use Torch's threads",
                fix='write cxx-flags = ["-fopenmp"] in the section of the unit, or a plain loop',
            )
