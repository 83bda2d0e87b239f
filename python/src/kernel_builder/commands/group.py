"""The command group. A command's module is loaded only when it runs: start-up is time, too."""

from __future__ import annotations

from importlib import import_module
from typing import Final

import click

from kernel_builder import __version__
from kernel_builder.commands.options import add_run_options

PROGRAM: Final = "kernel-builder"

# The modules that have them.
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
    "sign": "sign",
    "testshell": "shells",
    "update-build": "update_build",
    "upload": "upload",
    "verify": "verify",
    "verify-signature": "sign",
}


class LazyGroup(click.Group):
    """A group whose commands are modules of `kernel_builder.commands`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"kernel_builder.commands.{COMMANDS[cmd_name]}")
        command = getattr(module, cmd_name.replace("-", "_"))
        assert isinstance(command, click.Command), f"internal error: {cmd_name} is no command"
        return add_run_options(command)


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


add_run_options(cli)
