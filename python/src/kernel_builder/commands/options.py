"""The options that commands share, in the order in which --help shows them.

Those about the whole run (how much is said, what Nix is told) are taken note of where they are
used; the others come to the command as one value.
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
            values = {each.name: given.pop(each.name) for each in fields(shape)}
            return command(**{name: shape(**values)}, **given)

        return _add(options, wrapper)

    return decorate


def _noting(target: Any, name: str, *spellings: str, **settings: Any) -> Option:
    """Return an option that sets an attribute and does not come to the command."""

    def note(_context: click.Context, _option: click.Parameter, value: Any) -> None:
        if value not in (None, False, ()):
            setattr(target, name, value if value is not True else settings.get("flag_value", True))

    kept = {key: value for key, value in settings.items() if key != "flag_value"}
    return click.option(*spellings, expose_value=False, callback=note, **kept)


def _note_options(_context: click.Context, _option: click.Parameter, pairs: Any) -> None:
    nix.settings.options = [word for name, value in pairs for word in ("--option", name, value)]


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
    _noting(terminal, "level", "-q", "--quiet", is_flag=True, flag_value=0, help="Only errors."),
    _noting(
        terminal, "level", "-v", "--verbose", is_flag=True, flag_value=2,
        help="Also each program that is started.",
    ),
    _noting(nix.settings, "show_trace", "--show-trace", is_flag=True, help="Nix's whole trace."),
    click.option(
        "--option", nargs=2, multiple=True, metavar="NAME VALUE", expose_value=False,
        callback=_note_options, help="A setting for Nix (repeatable).",
    ),
    _noting(nix.settings, "offline", "--offline", is_flag=True, help="Fetch nothing."),
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

HOW: Final[tuple[Option, ...]] = (
    click.option("-L", "--print-build-logs", "print_logs", is_flag=True, help="Show build logs."),
    click.option("--max-jobs", type=AT_LEAST_ONE, help="Builds at once (default: what fits)."),
    click.option("--cores", type=AT_LEAST_ONE, help="Cores for each build."),
    _noting(
        nix.settings, "keep_failed", "--keep-failed", is_flag=True,
        help="Keep the folder of a build that fails.",
    ),
)  # fmt: skip

DRY_RUN: Final = click.option(
    "--dry-run", is_flag=True, help="Only say what would be fetched and built."
)

choice: Final = gather(Choice, "choice", WHAT)
limits: Final = gather(Limits, "limits", (*HOW, DRY_RUN))
as_json: Final = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
one_variant: Final = click.option(
    "--variant", shell_complete=_complete_variants,
    help="The variant to work with (default: the best for this machine).",
)  # fmt: skip
folder: Final = click.argument(
    "folder", metavar="[DIR]", default=".", type=click.Path(path_type=Path)
)


def how_to_build(command: Command) -> Command:
    """Add options that come as `limits`, without a dry run: the command has one of its own."""

    def without(**given: Any) -> Any:
        return command(limits=Limits(**{each: given.pop(each) for each in SHARED}), **given)

    return _add(HOW, functools.update_wrapper(without, command))


SHARED: Final = ("print_logs", "max_jobs", "cores")


def the_run(command: Command) -> Command:
    """Add the options about the whole run."""
    return _add(RUN, command)


def kernel_folder(command: Command) -> Command:
    """Add DIR, the kernel's folder, and the options about the whole run."""
    return folder(the_run(command))
