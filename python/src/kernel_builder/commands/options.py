"""The options that commands share, in the order in which --help shows them.

Options about the whole run (how much is printed, settings of Nix) are not passed to the command.
Options that belong together are passed as one dataclass.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

import click

from kernel_builder.messages.errors import KernelBuilderError
from kernel_builder.settings import change_settings, current_settings
from kernel_builder.variants.table import Choice, Limits

Command = Callable[..., Any]
Option = Callable[[Command], Command]

SYSTEMS: Final = ("aarch64-linux", "x86_64-linux")
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


def _completes(read: Callable[[Path], Any]) -> Callable[..., list[str]]:
    """Return what a shell asks for words: none if the kernel cannot be read."""

    def complete(context: click.Context, _option: Any, incomplete: str) -> list[str]:
        try:
            names = read(Path(context.params.get("folder") or "."))
        except Exception:
            return []
        return [str(name) for name in names if str(name).startswith(incomplete)]

    return complete


def _read_backends(folder: Path) -> Any:
    import tomli

    return tomli.loads((folder / "build.toml").read_text(encoding="utf-8"))["general"]["backends"]


def _read_variants(folder: Path) -> Any:
    from kernel_builder.kernel.folder import Kernel

    return Kernel(folder).evaluate("archVariants")


def _read_targets(folder: Path) -> Any:
    from kernel_builder.kernel.builder import evaluate_library
    from kernel_builder.nix.quoting import nix_string

    known: list[str] = []
    for backend in _read_backends(folder):
        # Not every backend has targets to choose from.
        with suppress(KernelBuilderError):
            known += evaluate_library(
                f"platforms.targetLists.listTargets {{ backend = {nix_string(backend)}; }}"
            )
    return known


def _applies(change: Callable[[Any], None]) -> dict[str, Any]:
    """Return the arguments of an option whose value changes the run and is not passed on."""
    return {"expose_value": False, "callback": lambda _context, _option, value: change(value)}


def _set_level(quiet: bool | None) -> None:
    # None: the option may have been given before the name of the command.
    if quiet is not None:
        change_settings(verbosity=0 if quiet else 2)


def _set_options(pairs: tuple[tuple[str, str], ...]) -> None:
    change_settings(nix_options=(*current_settings().nix_options, *pairs))


def _set(name: str) -> dict[str, Any]:
    def change(value: Any) -> None:
        if value:
            change_settings(**{name: value})

    return _applies(change)


def _set_json(_context: click.Context, _option: Any, value: bool) -> bool:
    if value:
        change_settings(as_json=True)
    return current_settings().as_json


JSON: Final[dict[str, Any]] = {
    "is_flag": True, "callback": _set_json, "help": "Print the result as JSON.",
}  # fmt: skip
as_json: Final = click.option("--json", "as_json", **JSON)

# Every command has these, and they may stand before its name.
RUN: Final[tuple[Option, ...]] = (
    click.option("--json", "as_json", expose_value=False, **JSON),
    click.option(
        "-q/-v", "--quiet/--verbose", default=None, **_applies(_set_level),
        help="Print errors only; or also each program that is started.",
    ),
    click.option(
        "--show-trace", is_flag=True, help="Print Nix's whole trace.", **_set("show_trace")
    ),
    click.option(
        "--option", nargs=2, multiple=True, metavar="NAME VALUE", **_applies(_set_options),
        help="Set a setting of Nix (repeatable).",
    ),
    click.option("--offline", is_flag=True, help="Fetch nothing.", **_set("offline")),
    click.option(
        "--builder", "--kernel-builder", metavar="REF", **_set("builder"),
        help="Use this flake or checkout of kernel-builder (or KERNEL_BUILDER_FLAKE).",
    ),
)  # fmt: skip


def add_run_options(command: click.Command) -> click.Command:
    """Add the options of every command to one that lacks them."""
    known = {name for each in command.params for name in each.opts}
    holder = _add(RUN, lambda: None)
    added: list[click.Parameter] = list(reversed(getattr(holder, "__click_params__", [])))
    command.params += [each for each in added if not known & set(each.opts)]
    return command


targets: Final = click.option(
    "--capability", "--rocm-arch", "targets", multiple=True, metavar="TARGET",
    shell_complete=_completes(_read_targets),
    help="Only try it on such a device, as 9.0 or gfx942 (repeatable).",
)  # fmt: skip

WHAT: Final[tuple[Option, ...]] = (
    click.option(
        "--variant", "names", multiple=True, shell_complete=_completes(_read_variants),
        help="Build this variant; with --backend, besides all of that (repeatable).",
    ),
    click.option(
        "--backend", "backends", multiple=True, shell_complete=_completes(_read_backends),
        help="Build this backend (repeatable).",
    ),
    click.option(
        "--system", type=click.Choice(SYSTEMS),
        help="Build for this system (default: this machine's).",
    ),
    click.option("--require-all", is_flag=True, help="Fail if a variant has to be left out."),
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
    "--archives", metavar="DIR",
    help="A folder of archives of sources, or a mirror's address (or KERNEL_BUILDER_ARCHIVES).",
)  # fmt: skip

HOW: Final[tuple[Option, ...]] = (
    click.option("-L", "--print-build-logs", "print_logs", is_flag=True, help="Show build logs."),
    click.option(
        "--max-jobs", type=click.IntRange(min=0),
        help="Builds at once here (default: what fits; 0 leaves all to remote builders).",
    ),
    click.option("--cores", type=AT_LEAST_ONE, help="Cores for each build."),
    archives,
)  # fmt: skip

DRY_RUN: Final = click.option(
    "--dry-run", is_flag=True, help="Only say what would be fetched and built."
)

choice: Final = gather(Choice, "choice", WHAT)
limits: Final = gather(Limits, "limits", (*HOW, DRY_RUN))
# For a command that has a dry run of its own.
how_to_build: Final = gather(Limits, "limits", HOW)
one_variant: Final = click.option(
    "--variant", shell_complete=_completes(_read_variants),
    help="The variant to work with (default: the best for this machine).",
)  # fmt: skip
kernel_folder: Final = click.argument(
    "folder", metavar="[DIR]", default=".", type=click.Path(path_type=Path)
)
