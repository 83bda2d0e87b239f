"""Starts the programs of maintainers."""

from __future__ import annotations

import sys

import click

from kernel_builder.messages.errors import KernelBuilderError
from kernel_builder.messages.terminal import complain


def start(command: click.Command) -> None:
    """Run a command and exit with its status; print errors in the usual form."""
    try:
        command()
    except KernelBuilderError as error:
        complain("error", str(error))
        sys.exit(error.exit_code)
