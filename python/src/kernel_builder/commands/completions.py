"""`completions`: what a shell has to read to complete commands and options."""

from __future__ import annotations

from typing import Final

import click
from click.shell_completion import get_completion_class

SHELLS: Final = ("bash", "fish", "zsh")


@click.command(short_help="Print what completes words in a shell.")
@click.argument("shell", type=click.Choice(SHELLS))
def completions(shell: str) -> None:
    """Print the completion script for SHELL.

    For bash: `source <(kernel-builder completions bash)`.
    """
    from kernel_builder.commands.group import PROGRAM, cli

    completion = get_completion_class(shell)
    assert completion is not None, f"internal error: click does not know {shell}"
    variable = f"_{PROGRAM.replace('-', '_').upper()}_COMPLETE"
    click.echo(completion(cli, {}, PROGRAM, variable).source())
