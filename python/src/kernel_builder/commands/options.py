"""The options that commands share, in the order in which --help shows them.

Options about the whole run (how much is printed, settings of Nix) are not passed to the command.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import click

from kernel_builder.kernel.several import find_kernels
from kernel_builder.nix.systems import SYSTEMS
from kernel_builder.settings import change_settings, current_settings

Command = Callable[..., Any]
Option = Callable[[Command], Command]


def add(options: Sequence[Option]) -> Option:
    """Return a decorator for some, as if they stood one above the other."""

    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def _change(_context: click.Context, option: click.Parameter, value: Any) -> None:
    """Change a setting of the run. Without a value, it may have been given before the command."""
    if value is None or value == ():
        return
    if option.name == "nix_options":
        value = (*current_settings().nix_options, *value)
    elif option.name == "verbosity":
        value = 0 if value else 2
    change_settings(**{str(option.name): value})


# Arguments of an option that changes the setting of its name, and is not passed to the command.
_CHANGES: Final[dict[str, Any]] = {"expose_value": False, "default": None, "callback": _change}

# Every command has these, and they may stand before its name.
RUN: Final = (
    click.Option(["--json", "as_json"], is_flag=True, help="Print the result as JSON.", **_CHANGES),
    click.Option(
        ["-q/-v", "--quiet/--verbose", "verbosity"], **_CHANGES,
        help="Print errors only; or also each program that is started.",
    ),
    click.Option(["--show-trace"], is_flag=True, help="Print Nix's whole trace.", **_CHANGES),
    click.Option(
        ["--option", "nix_options"], nargs=2, multiple=True, metavar="NAME VALUE", **_CHANGES,
        help="Set a setting of Nix (repeatable).",
    ),
    click.Option(["--offline"], is_flag=True, help="Fetch nothing.", **_CHANGES),
    click.Option(
        ["-L", "--print-build-logs", "print_logs"], is_flag=True, help="Show build logs.",
        **_CHANGES,
    ),
    click.Option(
        ["--max-jobs"], type=click.IntRange(min=0), **_CHANGES,
        help="Builds at once here (default: what fits; 0 leaves all to remote builders).",
    ),
    click.Option(
        ["--cores"], type=click.IntRange(min=0), help="Cores for each build (0: all).", **_CHANGES
    ),
    click.Option(
        ["--builder", "--kernel-builder", "builder"], metavar="REF", **_CHANGES,
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


_UNTRUSTED: Final = click.option(
    "--untrusted", is_flag=True, **_CHANGES,
    help="The kernel is not yours: evaluate nothing of it, and write nothing into it.",
)  # fmt: skip
untrusted: Final = add((_UNTRUSTED, allow_vulnerable))

archives: Final = click.option(
    "--archives", metavar="DIR", envvar="KERNEL_BUILDER_ARCHIVES", **_CHANGES,
    help="A folder of archives of sources (or the variable KERNEL_BUILDER_ARCHIVES).",
)  # fmt: skip

dry_run: Final = click.option(
    "--dry-run", is_flag=True, help="Only say what would be fetched and built."
)


def ignored(*names: str, **arguments: Any) -> Option:
    """Return an option of Hugging Face's tool that this one can do without."""
    text = "No effect; for scripts that were written for Hugging Face's tool."
    return click.option(*names, expose_value=False, hidden=True, help=text, **arguments)


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
