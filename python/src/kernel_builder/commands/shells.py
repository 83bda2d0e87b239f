"""`devshell` and `testshell`: a shell to work on the kernel, and one that has it built."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from kernel_builder.commands import options
from kernel_builder.develop.shells import enter_shell
from kernel_builder.kernel.folder import Kernel

LINE = click.option("-c", "--command", "line", help="Run this line in the shell and come back.")


@click.command(short_help="Open a shell to develop the kernel.")
@options.kernel_folder
@options.one_variant
@LINE
def devshell(folder: Path, variant: str | None, line: str | None) -> None:
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
    enter_shell(Kernel(folder), "devShells", variant, line)


@click.command(short_help="Open a shell with the built kernel.")
@options.kernel_folder
@options.one_variant
@options.targets
@LINE
def testshell(folder: Path, variant: str | None, targets: Sequence[str], line: str | None) -> None:
    """Build the kernel in DIR (default: this folder) and open a shell to try it.

    Python finds the built kernel by its name, and `get_kernel` of the kernels package takes it
    for the repository that build.toml names.

    \b
      kernel-builder testshell
      $ python -m pytest tests
      $ python benchmarks/benchmark.py
      $ kernels benchmark ./result
    """
    enter_shell(Kernel(folder, targets), "testShells", variant, line)
