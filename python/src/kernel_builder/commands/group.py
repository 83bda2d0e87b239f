"""The command group. It loads the module of a command when the command is needed."""

from __future__ import annotations

from importlib import import_module
from typing import Final

import click

from kernel_builder import __version__
from kernel_builder.commands.options import RUN

PROGRAM: Final = "kernel-builder"
# The module of each command.
COMMANDS: Final = {
    "build": "build",
    "build-and-copy": "build",
    "build-and-upload": "build",
    "check-abi": "check_builds",
    "check-builds": "check_builds",
    "check-config": "evaluate",
    "clean-pyproject": "pyproject",
    "completions": "completions",
    "create-pyproject": "pyproject",
    "devshell": "shells",
    "fill-card": "fill_card",
    "init": "init",
    "list-variants": "evaluate",
    "prefetch": "prefetch",
    "push": "push",
    "schema": "evaluate",
    "sign": "publish",
    "testshell": "shells",
    "update-build": "update_build",
    "upload": "publish",
    "verify": "publish",
    "verify-signature": "publish",
}


class LazyGroup(click.Group):
    """A group whose commands are in modules of `kernel_builder.commands`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in COMMANDS and cmd_name not in self.commands:
            module = import_module(f"kernel_builder.commands.{COMMANDS[cmd_name]}")
            command: click.Command = getattr(module, cmd_name.replace("-", "_"))
            command.params += RUN
            self.add_command(command)
        return super().get_command(ctx, cmd_name)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name=PROGRAM)
def cli() -> None:
    """Builds Torch kernels that load everywhere.

    \b
    A kernel from nothing:
      kernel-builder init --name me/hello --backends cpu cuda && cd hello
      kernel-builder build                     # all variants that can be had here
      nix run .#ci-test                        # the fast tests, on what was built
      kernel-builder devshell                  # compilers and Torch, to work on it
      kernel-builder build-and-upload          # to the Hub

    \b
    Exit status: 0 success, 1 failure, 2 a wrong command line, 130 interrupted (Ctrl-C), 143
    terminated.
    """


cli.params += RUN
