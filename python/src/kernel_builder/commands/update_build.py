"""`update-build`: rewrite a build.toml of an older edition."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import click
import tomli
from tomlkit.exceptions import TOMLKitError

from kernel_builder.commands import options
from kernel_builder.kernel.builder import evaluate_library
from kernel_builder.kernel.edits import rewrite
from kernel_builder.kernel.folder import Kernel
from kernel_builder.machine.files import write_below
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.terminal import print_result, say
from kernel_builder.nix.quoting import nix_path


@click.command(short_help="Rewrite build.toml to the newest edition.")
@options.kernel_folder
@click.option("--check", is_flag=True, help="Write nothing; fail if there is something to do.")
def update_build(folder: Path, check: bool) -> int:
    """Bring the build.toml in DIR (default: this folder) to the newest edition.

    Order stays, and so do comments of keys that stay. If something cannot be carried over, nothing
    is written.
    """
    file = Kernel(folder).folder / "build.toml"
    text = file.read_bytes().decode()
    plan = evaluate_library(f"config.update.planUpdate (builtins.readFile {nix_path(file)})")
    headline = f"{file} cannot be brought to the newest edition"
    if plan["problems"]:
        raise KernelBuilderError(headline, [Problem.read(each) for each in plan["problems"]])
    is_newest = not plan["edits"]
    new, data = text, None
    # Another parser decides whether the new text is right; tomlkit fails on rare layouts.
    with suppress(TOMLKitError, ValueError):
        new = rewrite(text, plan["edits"])
        data = tomli.loads(new)
    if not is_newest and data != plan["toml"]:
        notes = [Problem.read(each) for each in plan["notes"]]
        raise KernelBuilderError(f"{headline}; edit it by hand", notes)
    for note in plan["notes"]:
        say(f"{note['at']}: {note['found']}; the newest has {note['want']}")
    if not is_newest and not check:
        write_below(file.parent, file.name, new.encode())
    state = "is of an older edition" if check else "is updated"
    say(f"{file} {'has nothing to update' if is_newest else state}")
    is_written = not is_newest and not check
    print_result({"is-newest": is_newest, "written": is_written, "notes": plan["notes"]}, "")
    return 1 if check and not is_newest else 0
