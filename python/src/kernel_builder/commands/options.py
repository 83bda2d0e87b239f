"""The options that commands share, in the order in which --help shows them.

Options about the whole run (how much is printed, settings of Nix) are not passed to the command.
Options that belong together are passed as one dataclass.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

import click

from kernel_builder.kernel.several import find_kernels
from kernel_builder.settings import change_settings, current_settings
from kernel_builder.variants.table import SYSTEMS, Choice, Limits

Command = Callable[..., Any]
Option = Callable[[Command], Command]


def _add(options: Sequence[Option], command: Command) -> Command:
    # As decorators one above the other: the lowest comes first.
    for option in reversed(options):
        command = option(command)
    return command


def gather(shape: type[Any], name: str, options: Sequence[Option]) -> Option:
    """Return a decorator that adds options and hands them over as one dataclass."""

    def decorate(command: Command) -> Command:
        @functools.wraps(command)
        def wrapper(**given: Any) -> Any:
            values = {
                each.name: given.pop(each.name) for each in fields(shape) if each.name in given
            }
            return command(**{name: shape(**values)}, **given)

        return _add(options, wrapper)

    return decorate


def _changes(change: Callable[[Any], None]) -> dict[str, Any]:
    """Return the arguments of an option whose value changes the run and is not passed on."""

    def callback(_context: click.Context, _option: Any, value: Any) -> None:
        # Without a value, the option may have been given before the name of the command.
        if value is not None and value != ():
            change(value)

    return {"expose_value": False, "default": None, "callback": callback}


def _set(name: str) -> dict[str, Any]:
    return _changes(lambda value: change_settings(**{name: value}))


def _add_options(pairs: tuple[tuple[str, str], ...]) -> None:
    change_settings(nix_options=(*current_settings().nix_options, *pairs))


# Every command has these, and they may stand before its name.
RUN: Final = (
    click.Option(["--json"], is_flag=True, help="Print the result as JSON.", **_set("as_json")),
    click.Option(
        ["-q/-v", "--quiet/--verbose"],
        **_changes(lambda quiet: change_settings(verbosity=0 if quiet else 2)),
        help="Print errors only; or also each program that is started.",
    ),
    click.Option(
        ["--show-trace"], is_flag=True, help="Print Nix's whole trace.", **_set("show_trace")
    ),
    click.Option(
        ["--option"], nargs=2, multiple=True, metavar="NAME VALUE", **_changes(_add_options),
        help="Set a setting of Nix (repeatable).",
    ),
    click.Option(["--offline"], is_flag=True, help="Fetch nothing.", **_set("offline")),
    click.Option(
        ["--builder", "--kernel-builder"], metavar="REF", **_set("builder"),
        help="Use this flake or checkout of kernel-builder (or KERNEL_BUILDER_FLAKE).",
    ),
)  # fmt: skip

targets: Final = click.option(
    "--capability", "--rocm-arch", "targets", multiple=True, metavar="TARGET",
    help="Only try it on such a device, as 9.0 or gfx942 (repeatable).",
)  # fmt: skip

_CHOICE: Final = (
    click.option(
        "--variant", "names", multiple=True,
        help="Build this variant; with --backend, besides all of that (repeatable).",
    ),
    click.option("--backend", "backends", multiple=True, help="Build this backend (repeatable)."),
    click.option(
        "--system", type=click.Choice(SYSTEMS),
        help="Build for this system (default: this machine's).",
    ),
    click.option("--require-all", is_flag=True, help="Fail if a variant has to be left out."),
    click.option(
        "--changed-since", metavar="REV",
        help="Build only if it differs from what this revision of git builds.",
    ),
    targets,
)  # fmt: skip

allow_vulnerable: Final = click.option(
    "--allow-vulnerable-nix", is_flag=True, **_set("allow_vulnerable"),
    help="Accept a Nix with a known hole for a kernel that is not yours.",
)  # fmt: skip


def untrusted(command: Command) -> Command:
    """Add what a kernel of others needs."""
    own: Option = click.option(
        "--untrusted", is_flag=True, **_set("untrusted"),
        help="The kernel is not yours: check its lock first, read and write nothing else.",
    )  # fmt: skip
    return _add((own, allow_vulnerable), command)


archives: Final = click.option(
    "--archives", metavar="DIR", envvar="KERNEL_BUILDER_ARCHIVES",
    help="A folder of archives of sources (or the variable KERNEL_BUILDER_ARCHIVES).",
)  # fmt: skip

_LIMITS: Final = (
    click.option("-L", "--print-build-logs", "print_logs", is_flag=True, help="Show build logs."),
    click.option(
        "--max-jobs", type=click.IntRange(min=0),
        help="Builds at once here (default: what fits; 0 leaves all to remote builders).",
    ),
    click.option("--cores", type=click.IntRange(min=1), help="Cores for each build."),
    archives,
)  # fmt: skip

_DRY_RUN: Final = click.option(
    "--dry-run", is_flag=True, help="Only say what would be fetched and built."
)

choice: Final = gather(Choice, "choice", _CHOICE)
limits: Final = gather(Limits, "limits", (*_LIMITS, _DRY_RUN))
# For a command that has a dry run of its own.
how_to_build: Final = gather(Limits, "limits", _LIMITS)
one_variant: Final = click.option(
    "--variant", help="The variant to work with (default: the best for this machine)."
)
kernel_folders: Final = click.argument(
    "folders", metavar="[DIR]...", nargs=-1, type=click.Path(path_type=Path),
    callback=lambda _context, _argument, paths: find_kernels(paths),
)  # fmt: skip
kernel_folder: Final = click.argument(
    "folder", metavar="[DIR]", default=".", type=click.Path(path_type=Path)
)
