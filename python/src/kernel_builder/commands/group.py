"""The command group with all commands."""

from __future__ import annotations

from typing import Final

import click

from kernel_builder import __version__
from kernel_builder.commands.build import build, build_and_copy, build_and_upload
from kernel_builder.commands.check_builds import check_abi, check_builds
from kernel_builder.commands.completions import completions
from kernel_builder.commands.evaluate import check_config, list_variants, schema
from kernel_builder.commands.fill_card import fill_card
from kernel_builder.commands.init import init
from kernel_builder.commands.options import RUN
from kernel_builder.commands.prefetch import prefetch
from kernel_builder.commands.push import push
from kernel_builder.commands.pyproject import clean_pyproject, create_pyproject
from kernel_builder.commands.shells import devshell, testshell
from kernel_builder.commands.sign import sign, verify_signature
from kernel_builder.commands.update_build import update_build
from kernel_builder.commands.upload import upload
from kernel_builder.commands.verify import verify

PROGRAM: Final = "kernel-builder"


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
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


for _command in (
    *(build, build_and_copy, build_and_upload, check_abi, check_builds, check_config),
    *(clean_pyproject, completions, create_pyproject, devshell, fill_card, init, list_variants),
    *(prefetch, push, schema, sign, testshell, update_build, upload, verify, verify_signature),
):
    _command.params += RUN
    cli.add_command(_command)
cli.params += RUN
COMMANDS: Final = tuple(cli.commands)
