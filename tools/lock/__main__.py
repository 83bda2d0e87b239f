"""`tools/bin/lock-pins`: renews pin files from the machine's apt and pip."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import click

from kernel_builder.kernel.builder import find_root
from kernel_builder.nix.systems import SYSTEMS, TABLE
from lock.debs import renew_debs
from lock.pins import find_files, list_changes, read_pins, write_pins
from lock.start import start
from lock.wheels import renew_wheels

RENEW: Final = {"deb": renew_debs, "wheel": renew_wheels}


def add_system(data: Mapping[str, Any], system: str) -> Mapping[str, Any]:
    """Return the content of a pin file that has pins for a system, or is to get them."""
    name = TABLE[system]["debian"] if data["kind"] == "deb" else system
    return {**data, "pins": {name: {}, **data["pins"]}}


@click.command("lock-pins")
@click.argument("files", metavar="[FILE]...", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--keep",
    is_flag=True,
    help="Keep pinned versions, and look only for packages that are not pinned yet.",
)
@click.option("--system", type=click.Choice(SYSTEMS), help="Pin for this system, too.")
def command(files: tuple[Path, ...], keep: bool, system: str | None) -> None:
    """Renew the pins in FILE (default: all of this repository).

    The list `want` in a file names the packages. Debian packages come from the sources of this
    machine's apt, wheels from the indexes of its pip. The machine itself is not changed.
    """
    folders = [find_root() / name for name in ("pkgs", "backends", "stand-ins", "tests/nix")]
    contents = [(file, read_pins(file)) for file in files or find_files(*folders)]
    for file, data in contents:
        with tempfile.TemporaryDirectory(prefix="kernel-builder-") as folder:
            asked = data if system is None else add_system(data, system)
            renewed = RENEW[data["kind"]](asked, Path(folder), keep=keep)
        changes = list_changes(data["pins"], renewed)
        write_pins(file, {**data, "pins": renewed})
        for change in changes:
            click.echo(change)
        click.echo(f"{file}: {len(changes)} changes")


if __name__ == "__main__":
    start(command)
