"""`kernel-builder clean-pyproject`: takes away what create-pyproject made."""

from __future__ import annotations

from pathlib import Path

import click

from kernel_builder.develop.files import remove_files
from kernel_builder.messages.terminal import say


@click.command("clean-pyproject", short_help="Remove what create-pyproject wrote.")
@click.argument("folder", metavar="[DIR]", default=".", type=click.Path(path_type=Path))
def command(folder: Path) -> None:
    """Remove the files in DIR (default: this folder) that create-pyproject made.

    Files that were changed since stay, and so does what CMake and pip made (build-ext, .venv).
    """
    done = remove_files(folder.resolve())
    click.echo(f"{len(done.removed)} files removed")
    if done.changed:
        say("changed since they were made, and kept: " + ", ".join(done.changed))
