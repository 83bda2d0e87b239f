"""`kernel-builder lock`: renews files of pins from what the machine's apt and pip have."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Final

import click

from kernel_builder.kernel.repository import find_root
from kernel_builder.locking.debs import renew_debs
from kernel_builder.locking.pins import list_changes, read_pins, write_pins
from kernel_builder.locking.wheels import renew_wheels
from kernel_builder.messages.terminal import StatusLine

DEFAULT_FILES: Final = ("pkgs/sources/debs/pins.json", "pkgs/python/python-packages/pins.json")
RENEW: Final = {"deb": renew_debs, "wheel": renew_wheels}


@click.command("lock")
@click.argument("files", metavar="[FILE]...", nargs=-1, type=click.Path(path_type=Path))
def command(files: tuple[Path, ...]) -> None:
    """Renew the pins in FILE (default: all of this repository).

    The list `want` in a file says what is pinned. Debian packages come from the sources of this
    machine's apt, wheels from the indexes of its pip; the machine itself is not changed.
    """
    chosen = files or tuple(find_root() / file for file in DEFAULT_FILES)
    contents = [(file, read_pins(file)) for file in chosen]
    line = StatusLine()
    for file, data in contents:
        line.show(f"renewing {file}")
        with tempfile.TemporaryDirectory(prefix="kernel-builder-") as folder:
            renewed = RENEW[data["kind"]](data, Path(folder))
        changes = list_changes(data["pins"], renewed)
        write_pins(file, {**data, "pins": renewed})
        line.clear()
        for change in changes:
            click.echo(change)
        click.echo(f"{file}: {len(changes)} changes")
