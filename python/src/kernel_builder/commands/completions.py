"""`completions`: the script that completes commands and options in a shell."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class


@click.command(short_help="Print the completion script for a shell.")
@click.argument("shell", type=click.Choice(("bash", "fish", "zsh")))
def completions(shell: str) -> None:
    """Print the completion script for SHELL.

    For bash: `source <(kernel-builder completions bash)`.
    """
    from kernel_builder.commands.group import PROGRAM, cli

    completion = get_completion_class(shell)
    assert completion is not None, f"internal error: click does not know {shell}"
    click.echo(completion(cli, {}, PROGRAM, "_KERNEL_BUILDER_COMPLETE").source())
