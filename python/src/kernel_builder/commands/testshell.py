"""`kernel-builder testshell`: a shell whose Python has the built kernel."""

from __future__ import annotations

from pathlib import Path

import click

from kernel_builder.commands import options
from kernel_builder.develop.shells import enter_shell


@click.command("testshell", short_help="Open a shell with the built kernel.")
@options.kernel_folder
@options.one_variant
@click.option("-c", "--command", "line", help="Run this line in the shell and come back.")
def command(folder: Path, variant: str | None, line: str | None) -> None:
    """Build the kernel in DIR (default: this folder) and open a shell to try it.

    Python finds the built kernel by its name, and `get_kernel` of the kernels package takes it
    for the repository that build.toml names.

    \b
      kernel-builder testshell
      $ python -m pytest tests
      $ python benchmarks/benchmark.py
    """
    enter_shell(folder, "testShells", variant, line)
