"""`devshell`, a shell to develop the kernel, and `testshell`, a shell with the built kernel."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

import click

from kernel_builder import nix
from kernel_builder.commands import options
from kernel_builder.kernel.folder import Kernel
from kernel_builder.machine.process import replace
from kernel_builder.messages.terminal import say
from kernel_builder.nix.quoting import nix_string
from kernel_builder.variants.default import choose_variants
from kernel_builder.variants.make import AbsentError, make_path


class ShellCommand(click.Command):
    """A command whose words after `--` are a command to run in the shell."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take the words after `--` out of the arguments."""
        place = args.index("--") if "--" in args else len(args)
        ctx.params["words"] = args[place + 1 :]
        return super().parse_args(ctx, args[:place])


_line = click.option("-c", "--command", "line", help="Run this line of bash in the shell.")


@click.command(cls=ShellCommand, short_help="Open a shell to develop the kernel.")
@options.kernel_folder
@options.one_variant
@_line
def devshell(folder: Path, **arguments: Any) -> None:
    """Open a shell for developing the kernel in DIR (default: this folder).

    The shell has the compilers, Torch, CMake, Ninja, pytest and this command. It starts in DIR and
    activates a virtual environment in your cache, into which pip installs. .venv in DIR links to
    it. Your own settings stay as they are. `-- COMMAND` runs one command and returns its status.

    \b
      kernel-builder devshell -- pytest tests
      kernel-builder devshell
      $ kernel-builder create-pyproject
      $ cmake -B build-ext && cmake --build build-ext     # or
      $ pip install --no-build-isolation -e .
      $ pytest tests

    Every variant has one. If its Torch cannot be imported, the shell says so, and only compiles.
    Another --variant changes its Torch. Remove .venv first if you installed packages that were
    compiled against the other Torch.
    """
    enter_shell(Kernel(folder), "devShells", **arguments)


@click.command(cls=ShellCommand, short_help="Open a shell with the built kernel.")
@options.kernel_folder
@options.one_variant
@options.targets
@_line
def testshell(folder: Path, targets: Sequence[str], **arguments: Any) -> None:
    """Build the kernel in DIR (default: this folder) and open a shell to try it.

    Python finds the built kernel by its name, and `get_kernel` of the kernels package loads it
    for the repository that build.toml names. The variant's Torch must be one that this machine can
    import (see `list-variants --explain`). `-- COMMAND` runs one command and returns its status.

    \b
      kernel-builder testshell -- pytest tests
      kernel-builder testshell
      $ python -m pytest tests
      $ python benchmarks/benchmark.py
      $ kernels benchmark ./result
    """
    enter_shell(Kernel(folder, targets), "testShells", **arguments)


def enter_shell(
    kernel: Kernel, shells: str, variant: str | None, line: str | None, words: Sequence[str]
) -> NoReturn:
    """Replace this process with a shell of the kernel, or with a command that runs in the shell.

    `shells` is the flake's output, `devShells` or `testShells`.
    """
    if line and words:
        raise click.UsageError("give either -c LINE or -- COMMAND")
    select = f"shells: name: ({nix.OUTLINE}) shells.${{name}}.files"
    shell, lost = "", []
    candidates = choose_variants(kernel, variant, shells, select)
    chosen, outline = next(candidates, ("", None))
    while outline and not shell:
        try:
            shell = make_path(outline, f"the shell of {chosen} cannot be built")
        except AbsentError as error:
            # Another Torch or variant may have sources that can be had.
            lost.append(error)
            say(f"{chosen} is left out: {error.problems[0].found.splitlines()[0]}")
            refused = {path for each in lost for path in each.sources}
            offered = kernel.evaluate("authorVariants")
            if kernel.avoid(refused, (each for each in offered if each["name"] == chosen)):
                outline = kernel.evaluate(shells, f"of: ({select}) of {nix_string(chosen)}")
            else:
                chosen, outline = next(candidates, ("", None))
    if not shell:
        raise lost[0]
    # The shell knows the kernel by this folder.
    os.chdir(kernel.folder)
    kernel.close()
    replace([f"{shell}/bin/enter", *(["bash", "-c", line] if line else words)])
