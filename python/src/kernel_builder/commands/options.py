"""The options that commands share, in the order in which --help shows them.

Those about the whole run (how much is said, what Nix is told) do not come to the command; of the
others, those that belong together come as one value.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

import click

from kernel_builder import nix
from kernel_builder.messages import terminal
from kernel_builder.variants.request import Choice, Limits

Command = Callable[..., Any]
Option = Callable[[Command], Command]

AT_LEAST_ONE: Final = click.IntRange(min=1)


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


def _complete_backends(context: click.Context, _option: Any, incomplete: str) -> list[str]:
    return [name for name in _read(context, "backends") if name.startswith(incomplete)]


def _complete_variants(context: click.Context, _option: Any, incomplete: str) -> list[str]:
    return [name for name in _read(context, "variants") if name.startswith(incomplete)]


def _read(context: click.Context, what: str) -> list[str]:
    """Return names for a shell that completes a word: nothing if the kernel cannot be read."""
    import tomli

    from kernel_builder.kernel.folder import Kernel

    folder = Path(context.params.get("folder") or ".")
    try:
        if what == "backends":
            general = tomli.loads((folder / "build.toml").read_text(encoding="utf-8"))["general"]
            return [str(backend) for backend in general["backends"]]
        return [str(name) for name in Kernel(folder).evaluate("archVariants")]
    except Exception:
        return []


RUN: Final[tuple[Option, ...]] = (
    click.option("-q", "--quiet", is_flag=True, help="Only errors."),
    click.option("-v", "--verbose", is_flag=True, help="Also each program that is started."),
    click.option("--show-trace", is_flag=True, help="Nix's whole trace."),
    click.option(
        "--option", "settings", nargs=2, multiple=True, metavar="NAME VALUE",
        help="A setting for Nix (repeatable).",
    ),
    click.option("--offline", is_flag=True, help="Fetch nothing."),
)  # fmt: skip

WHAT: Final[tuple[Option, ...]] = (
    click.option(
        "--variant", "names", multiple=True, shell_complete=_complete_variants,
        help="Build this variant (repeatable).",
    ),
    click.option(
        "--backend", "backends", multiple=True, shell_complete=_complete_backends,
        help="Build this backend (repeatable).",
    ),
    click.option("--require-all", is_flag=True, help="Fail if a variant has to be left out."),
)  # fmt: skip

archives: Final = click.option(
    "--archives", metavar="DIR",
    help="A folder of archives of sources, or a mirror's address (or KERNEL_BUILDER_ARCHIVES).",
)  # fmt: skip

HOW: Final[tuple[Option, ...]] = (
    click.option("-L", "--print-build-logs", "print_logs", is_flag=True, help="Show build logs."),
    click.option("--max-jobs", type=AT_LEAST_ONE, help="Builds at once (default: what fits)."),
    click.option("--cores", type=AT_LEAST_ONE, help="Cores for each build."),
    click.option("--keep-failed", is_flag=True, help="Keep the folder of a build that fails."),
    archives,
)

DRY_RUN: Final = click.option(
    "--dry-run", is_flag=True, help="Only say what would be fetched and built."
)

choice: Final = gather(Choice, "choice", WHAT)
limits: Final = gather(Limits, "limits", (*HOW, DRY_RUN))
# For a command that has a dry run of its own.
how_to_build: Final = gather(Limits, "limits", HOW)
as_json: Final = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
one_variant: Final = click.option(
    "--variant", shell_complete=_complete_variants,
    help="The variant to work with (default: the best for this machine).",
)  # fmt: skip
folder: Final = click.argument(
    "folder", metavar="[DIR]", default=".", type=click.Path(path_type=Path)
)


def the_run(command: Command) -> Command:
    """Add the options about the whole run, and see to them before the command starts."""

    @functools.wraps(command)
    def wrapper(
        quiet: bool,
        verbose: bool,
        show_trace: bool,
        settings: Sequence[tuple[str, str]],
        offline: bool,
        **given: Any,
    ) -> Any:
        terminal.level = 0 if quiet else 2 if verbose else 1
        options = [word for name, value in settings for word in ("--option", name, value)]
        nix.settings = nix.Settings(options, show_trace, offline)
        return command(**given)

    return _add(RUN, wrapper)


def kernel_folder(command: Command) -> Command:
    """Add DIR, the kernel's folder, and the options about the whole run."""
    return folder(the_run(command))
