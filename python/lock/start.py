"""Starts a program of maintainers."""

from __future__ import annotations

import sys

import click

from kernel_builder.messages.errors import KernelBuilderError
from kernel_builder.messages.terminal import complain


def start(command: click.Command) -> None:
    """Run a command to its exit status; what is wrong is told as everywhere else."""
    try:
        command()
    except KernelBuilderError as error:
        complain("error", str(error))
        sys.exit(error.exit_code)
