"""Builds for commands, and shows the results: as the closing table, and as JSON."""

import sys
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, TextIO

import click

from kernel_builder import nix
from kernel_builder.kernel.opening import open_kernel
from kernel_builder.kernel.several import name_kernels
from kernel_builder.messages.terminal import clean, complain, say
from kernel_builder.nix.advisories import NEWER_NIX, find_advisory
from kernel_builder.variants.build import BuildResult, Request, build_kernels
from kernel_builder.variants.table import Choice, Limits, format_table

# The place of functions, from options of extras, that return additions to the result of a build.
ADDITIONS: Final = "kernel_builder.additions"


def build_for(
    folders: Sequence[Path], choice: Choice, limits: Limits
) -> tuple[list[BuildResult], list[str]]:
    """Build for a command that prints another result: the table goes to standard error.

    Return the results, and the names of the kernels.
    """
    names = name_kernels(folders)
    results = build_kernels(request_builds(folders, names, choice), choice, limits)
    say(format_results(results, names, sys.stderr))
    show_messages(results, limits)
    return results, names


def request_builds(folders: Sequence[Path], names: Sequence[str], choice: Choice) -> list[Request]:
    openers = (partial(open_kernel, each, choice.targets, choice.system) for each in folders)
    return [Request(*each) for each in zip(names, openers)]


def format_results(results: Sequence[BuildResult], names: Sequence[str], stream: TextIO) -> str:
    """Return the table of all results."""
    rows = [row for result in results for row in result.rows]
    kernels = [name for result, name in zip(results, names) for _ in result.rows]
    is_one = len(names) == 1 and all(row.variant for row in rows)
    table = format_table(rows, stream, () if is_one else kernels)
    notes = dict.fromkeys(
        f"{result.manifest['name']}: {note}" for result in results for note in result.notes
    )
    return "\n".join([table, *map(clean, notes)])


def show_messages(results: Sequence[BuildResult], limits: Limits) -> None:
    """Print the errors, and the known vulnerability of this Nix if it has one."""
    for error in [error for result in results for error in result.errors]:
        complain("error", str(error))
    if not limits.dry_run and (advisory := find_advisory(nix.release())):
        complain("warning", f"{nix.release()} has {advisory}; {NEWER_NIX}")


def as_data(results: Sequence[BuildResult], folders: Sequence[Path]) -> dict[str, Any]:
    """Return what --json prints: of one kernel its result, else all with the sums of the steps."""
    shown = [each.as_data() for each in results]
    if len(folders) == 1:
        return shown[0]
    counts = {
        key: dict(sum((Counter(each[key]) for each in shown), Counter()))
        for key in ("built", "fetched")
    }
    problems = [problem for each in shown for problem in each["problems"]]
    kernels = [{"folder": str(folder), **each} for folder, each in zip(folders, shown)]
    return {"kernels": kernels, **counts, "problems": problems}


def collect_additions(results: Sequence[BuildResult]) -> dict[str, Any]:
    """Return what options of extras add to the data of a result."""
    data: dict[str, Any] = {}
    for add in click.get_current_context().meta.get(ADDITIONS, ()):
        data |= add(results)
    return data
