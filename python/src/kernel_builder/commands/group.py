"""The command group, which loads a module when its command is needed."""

from importlib import import_module
from typing import Final

import click

from kernel_builder import __version__
from kernel_builder.commands.options import EPILOG, RUN
from kernel_builder.extras import TABLE, load_command, load_options, load_refusal

PROGRAM: Final = "kernel-builder"
# The commands of each module.
MODULES: Final = {
    "build": ("build", "build-and-copy"),
    "evaluate": ("check-config", "list-variants"),
}
_CORE: Final = {name: module for module, names in MODULES.items() for name in names}
# The extra of each command that is no part of the core.
_EXTRAS: Final = {name: extra for extra, names in TABLE.items() for name in names}
COMMANDS: Final = sorted([*_CORE, *_EXTRAS])


class LazyGroup(click.Group):
    """A group whose commands are in modules of `kernel_builder.commands`, or of extras."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return COMMANDS

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read `help COMMAND` as `COMMAND --help`."""
        if args[:1] == ["help"]:
            args = [*args[1:], "--help"]
        return super().parse_args(ctx, args)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in COMMANDS and cmd_name not in self.commands:
            if cmd_name in _EXTRAS:
                command: click.Command = load_command(_EXTRAS[cmd_name], cmd_name)
            else:
                module = import_module(f"kernel_builder.commands.{_CORE[cmd_name]}")
                command = getattr(module, cmd_name.replace("-", "_"))
            command.params += [*RUN, *load_options(cmd_name)]
            command.epilog = EPILOG
            self.add_command(command)
        return super().get_command(ctx, cmd_name) or load_refusal(cmd_name)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", prog_name=PROGRAM)
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
    Exit status: 0 success, 1 failure, 2 a wrong command line, 3 a state of `status --fail-on`, 69
    no device for `benchmark`, 130 interrupted (Ctrl-C), 143 terminated.
    """


cli.params += RUN
