"""The options that commands share, in the order in which --help shows them.

Options about the whole run (how much is printed, settings of Nix) are not passed to the command.
"""

from collections.abc import Callable, Sequence
from functools import reduce
from pathlib import Path
from typing import Any, Final

import click

from kernel_builder.kernel.several import find_kernels
from kernel_builder.nix.systems import SYSTEMS
from kernel_builder.settings import change_settings, current_settings

Option = Callable[[Callable[..., Any]], Callable[..., Any]]
PATH: Final = click.Path(path_type=Path)
_COUNT: Final = click.IntRange(min=0)


def add(options: Sequence[Option]) -> Option:
    """Return a decorator for some, as if they stood one above the other."""
    return lambda command: reduce(lambda inner, option: option(inner), reversed(options), command)


def _change(_context: click.Context, option: click.Parameter, value: Any) -> None:
    """Change a setting of the run. Without a value, it may have been given before the command."""
    if option.name == "nix_options":
        value = (*current_settings().nix_options, *(value or ()))
    if value is not None:
        change_settings(**{str(option.name): value})


# Arguments of an option that changes the setting of its name, and is not passed to the command.
_CHANGES: Final[dict[str, Any]] = {"expose_value": False, "default": None, "callback": _change}


class _Setting(click.Option):
    """An option of every command, which the help of the program alone describes."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        return None if ctx.parent else super().get_help_record(ctx)


def _setting(*names: str, **arguments: Any) -> click.Option:
    return _Setting(names, **arguments, **_CHANGES)


# Every command has these, and they may stand before its name.
EPILOG: Final = "`kernel-builder --help` has the options of every command, such as --json and -q."
RUN: Final = (
    _setting("--json", "as_json", is_flag=True, help="Print the result as JSON."),
    _setting("-q", "--quiet", "verbosity", flag_value=0, help="Print the result and errors only."),
    _setting("-v", "--verbose", "verbosity", flag_value=2, help="Also print programs that start."),
    _setting("--show-trace", is_flag=True, help="Print Nix's whole trace."),
    _setting(
        "--option", "nix_options", nargs=2, multiple=True, metavar="NAME VALUE",
        help="Set a setting of Nix (repeatable).",
    ),
    _setting("--offline", is_flag=True, help="Fetch nothing."),
    _setting("-L", "--print-build-logs", "print_logs", is_flag=True, help="Show build logs."),
    _setting("--max-jobs", type=_COUNT, help="Builds at once here (0: on remote builders alone)."),
    _setting("--cores", type=_COUNT, help="Cores for each build (0: all)."),
    _setting(
        "--builder", "--kernel-builder", "builder", metavar="REF",
        help="Use this flake or checkout of kernel-builder (or KERNEL_BUILDER_FLAKE).",
    ),
)  # fmt: skip

targets: Final = click.option(
    "--capability", "--rocm-arch", "targets", multiple=True, metavar="TARGET",
    help="Only try it on such a device, as 9.0 or gfx942 (repeatable).",
)  # fmt: skip

# The fields of `Choice`.
choice: Final = add((
    click.option(
        "--variant", "names", multiple=True,
        help="Build this variant; with --backend, besides all of that (repeatable).",
    ),
    click.option("--backend", "backends", multiple=True, help="Build this backend (repeatable)."),
    click.option("--here", is_flag=True, help="Build the one for this machine's GPU, or its CPU."),
    click.option(
        "--system", type=click.Choice(SYSTEMS),
        help="Build for this system (default: this machine's).",
    ),
    click.option("--require-all", is_flag=True, help="Fail if a variant has to be left out."),
    targets,
))  # fmt: skip

allow_vulnerable: Final = click.option(
    "--allow-vulnerable-nix", "allow_vulnerable", is_flag=True, **_CHANGES,
    help="Accept a Nix with a known hole for a kernel that is not yours.",
)  # fmt: skip
untrusted: Final = add((
    click.option(
        "--untrusted", is_flag=True, **_CHANGES,
        help="The kernel is not yours: evaluate nothing of it, and write nothing into it.",
    ),
    allow_vulnerable,
))  # fmt: skip

# How sources are fetched.
sources: Final = add((
    click.option(
        "--archives", metavar="DIR", envvar="KERNEL_BUILDER_ARCHIVES", **_CHANGES,
        help="A folder of archives of sources (or the variable KERNEL_BUILDER_ARCHIVES).",
    ),
    click.option(
        "--refresh", is_flag=True, **_CHANGES,
        help="Ask again for sources that could not be had in the last ten minutes.",
    ),
))  # fmt: skip

dry_run: Final = click.option("-d", "--dry-run", is_flag=True, help="Only say what would be done.")


one_variant: Final = click.option("--variant", help="Use this variant (default: the best here).")
kernel_folders: Final = click.argument(
    "folders", metavar="[DIR]...", nargs=-1, type=PATH,
    callback=lambda _context, _argument, paths: find_kernels(paths),
)  # fmt: skip
kernel_folder: Final = click.argument("folder", metavar="[DIR]", default=".", type=PATH)
target_folder: Final = click.argument("target", metavar="[TARGET]", required=False, type=PATH)
