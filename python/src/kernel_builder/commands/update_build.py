"""`update-build`: a build.toml of an older edition, written anew."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from kernel_builder.commands import options
from kernel_builder.kernel.builder import evaluate_library
from kernel_builder.kernel.folder import Kernel
from kernel_builder.machine.files import write_below
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.terminal import complain, say
from kernel_builder.nix.quoting import nix_path


@click.command(short_help="Rewrite build.toml to the newest edition.")
@options.kernel_folder
@click.option("--check", is_flag=True, help="Write nothing; fail if there is something to do.")
@click.option("--diff", "show_diff", is_flag=True, help="Write nothing; show what would change.")
@click.option("--force", is_flag=True, help="Write what can be carried over, even if not all can.")
def update_build(folder: Path, check: bool, show_diff: bool, force: bool) -> int:
    """Bring the build.toml in DIR (default: this folder) to the newest edition.

    Comments and order stay. What cannot be carried over is told, and nothing is written then.
    """
    file = Kernel(folder).folder / "build.toml"
    text = file.read_bytes().decode()
    plan = evaluate_library(f"config.update.planUpdate (builtins.readFile {nix_path(file)})")
    problems = [Problem.read(each) for each in plan["problems"]]
    new = _rewrite(text, plan)
    if show_diff:
        before, after = (each.splitlines(keepends=True) for each in (text, new))
        names = ("build.toml", "build.toml, newest edition")
        click.echo("".join(difflib.unified_diff(before, after, *names)), nl=False)
    if problems:
        error = KernelBuilderError(
            f"{file} cannot be brought to the newest edition as a whole; "
            "--force writes what can be",
            problems,
        )
        if not force or new == text:
            raise error
        complain("warning", str(error))
    if new == text:
        say(f"{file} has nothing to update")
        return 0
    for note in plan["notes"]:
        say(f"{note['at']}: {note['found']}; the newest has {note['want']}")
    if check or show_diff:
        return 1 if check else 0
    _replace(file, new)
    say(f"{file} is written anew")
    return 0


def _rewrite(text: str, plan: Mapping[str, Any]) -> str:
    """Return the new text. It has to mean what the library says, or nobody gets to see it."""
    if not plan["edits"]:
        return text
    from kernel_builder.kernel.edits import read, rewrite

    new = rewrite(text, plan["edits"])
    if read(new) != plan["toml"]:
        steps = [Problem.read(each) for each in plan["notes"]]
        raise KernelBuilderError("this build.toml has to be brought up to date by hand", steps)
    return new


def _replace(file: Path, text: str) -> None:
    try:
        write_below(file.parent, file.name, text.encode())
    except OSError as error:
        problem = Problem(
            at=str(file.parent),
            found=error.strerror or str(error),
            want="a folder that can be written to, with room for a second build.toml",
            fix="free some space or correct the permissions, and run this again",
        )
        raise KernelBuilderError(f"{file} stays as it is", [problem]) from None
