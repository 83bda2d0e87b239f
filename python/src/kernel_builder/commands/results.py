"""Builds for commands, and shows the results: as the closing table, and as JSON."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, TextIO

from kernel_builder.messages.terminal import complain, say
from kernel_builder.variants.build import build_kernels
from kernel_builder.variants.outcome import BuildResult
from kernel_builder.variants.table import Choice, format_table

# The place of functions, from options of extras, that return additions to the result of a build.
ADDITIONS: Final = "kernel_builder.additions"
# The place of a function, from an option of an extra, that selects variants: `Choice.select`.
SELECT: Final = "kernel_builder.select"


def build_before(folders: Sequence[Path], choice: Choice) -> list[BuildResult]:
    """Build for a command that prints another result: the table goes to standard error."""
    results = build_kernels(folders, choice)
    say(format_results(results, sys.stderr))
    show_messages(results)
    return results


def format_results(results: Sequence[BuildResult], stream: TextIO) -> str:
    """Return the table of all results."""
    rows = [(result.label, row) for result in results for row in result.rows]
    is_one = len(results) == 1 and all(row.variant for _, row in rows)
    kernels = [] if is_one else [label for label, _ in rows]
    table = format_table([row for _, row in rows], stream, kernels)
    notes = {f"{each.manifest['name']}: {note}": 0 for each in results for note in each.notes}
    return "\n".join([table, *notes])


def show_messages(results: Sequence[BuildResult]) -> None:
    """Print the errors. Raises the KeyboardInterrupt that ended a build."""
    for error in [error for result in results for error in result.errors]:
        complain("error", str(error))
    for interruption in [each.run.interruption for each in results if each.run.interruption]:
        raise interruption


def as_data(results: Sequence[BuildResult], folders: Sequence[Path]) -> dict[str, Any]:
    """Return what --json prints: of one kernel its result, else all with their problems."""
    if len(folders) == 1:
        return results[0].as_data()
    kernels = [{"folder": str(at), **each.as_data()} for at, each in zip(folders, results)]
    return {"kernels": kernels, "problems": [it for each in kernels for it in each["problems"]]}
