"""`update-build`: rewrite a build.toml of an older edition."""

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
from kernel_builder.messages.terminal import complain, print_json, say
from kernel_builder.nix.quoting import nix_path
from kernel_builder.settings import current_settings


@click.command(short_help="Rewrite build.toml to the newest edition.")
@options.kernel_folder
@click.option("--check", is_flag=True, help="Write nothing; fail if there is something to do.")
@click.option("--diff", "show_diff", is_flag=True, help="Write nothing; show what would change.")
@click.option("--force", is_flag=True, help="Write the part that can be carried over.")
def update_build(folder: Path, check: bool, show_diff: bool, force: bool) -> int:
    """Bring the build.toml in DIR (default: this folder) to the newest edition.

    Comments and order stay. If something cannot be carried over, nothing is written.
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
    is_newest, is_written = new == text, new != text and not check and not show_diff
    for note in [] if is_newest else plan["notes"]:
        say(f"{note['at']}: {note['found']}; the newest has {note['want']}")
    if is_written:
        _replace_file(file, new)
    if current_settings().as_json:
        print_json({"is-newest": is_newest, "written": is_written, "notes": plan["notes"]})
    elif is_newest:
        say(f"{file} has nothing to update")
    elif is_written:
        say(f"{file} is updated")
    return 1 if check and not is_newest else 0


def _rewrite(text: str, plan: Mapping[str, Any]) -> str:
    """Return the new text, whose values have to be those that the library states."""
    if not plan["edits"]:
        return text
    from kernel_builder.kernel.edits import read, rewrite

    new = rewrite(text, plan["edits"])
    if read(new) != plan["toml"]:
        steps = [Problem.read(each) for each in plan["notes"]]
        raise KernelBuilderError("this build.toml has to be brought up to date by hand", steps)
    return new


def _replace_file(file: Path, text: str) -> None:
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
