"""The options that all commands which build share, in the order in which --help shows them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import click

Command = Callable[..., Any]
Option = Callable[[Command], Command]

AT_LEAST_ONE: Final = click.IntRange(min=1)

WHAT: Final[tuple[Option, ...]] = (
    click.option("--variant", "names", multiple=True, help="Build this variant (repeatable)."),
    click.option("--backend", "backends", multiple=True, help="Build this backend (repeatable)."),
    click.option("--require-all", is_flag=True, help="Fail if a variant has to be left out."),
)
HOW: Final[tuple[Option, ...]] = (
    click.option("-L", "--print-build-logs", "print_logs", is_flag=True, help="Show build logs."),
    click.option("--max-jobs", type=AT_LEAST_ONE, help="Builds at once (default: what fits)."),
    click.option("--cores", type=AT_LEAST_ONE, help="Cores for each build."),
)


def _add(options: tuple[Option, ...], command: Command) -> Command:
    # As decorators one above the other: the lowest comes first.
    for option in reversed(options):
        command = option(command)
    return command


def what_to_build(command: Command) -> Command:
    """Add `names`, `backends` and `require_all`: which variants, and whether all must be there."""
    return _add(WHAT, command)


def how_to_build(command: Command) -> Command:
    """Add `print_logs`, `max_jobs` and `cores`: what building.Options holds."""
    return _add(HOW, command)
