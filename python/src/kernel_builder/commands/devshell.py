"""`kernel-builder devshell`: a shell with all that the kernel is compiled with."""

from __future__ import annotations

from pathlib import Path

import click

from kernel_builder.commands import options
from kernel_builder.develop.shells import enter_shell


@click.command("devshell", short_help="Open a shell to develop the kernel.")
@options.kernel_folder
@options.one_variant
@click.option("-c", "--command", "line", help="Run this line in the shell and come back.")
def command(folder: Path, variant: str | None, line: str | None) -> None:
    """Open a shell for developing the kernel in DIR (default: this folder).

    It has the compilers, Torch, CMake, Ninja, pytest and this command, and stands in DIR. A virtual
    environment, .venv, is made there and entered: what pip installs goes into it. Your own
    settings stay as they are.

    \b
      kernel-builder devshell
      $ kernel-builder create-pyproject
      $ cmake -B build-ext && cmake --build build-ext     # or
      $ pip install --no-build-isolation -e .
      $ pytest tests

    Another --variant changes .venv over; remove it first if packages were compiled in it.
    """
    enter_shell(folder, "devShells", variant, line)
