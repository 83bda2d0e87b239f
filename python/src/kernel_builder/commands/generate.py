"""`fill-card`, `create-pyproject` and `clean-pyproject`: files that Nix makes for a kernel."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from kernel_builder.commands import options
from kernel_builder.develop.files import collect_files, remove_project, write_project
from kernel_builder.develop.shells import choose_variant
from kernel_builder.kernel.folder import Kernel
from kernel_builder.machine.files import write_below
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.terminal import print_result, say
from kernel_builder.nix import OUTLINE
from kernel_builder.variants.make import make_path

CARD: Final = f"card: if card == null then null else ({OUTLINE}) card"


@click.command(short_help="Fill in the kernel's card.")
@options.kernel_folder
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    help="Write to this file, `-` for the terminal (default: build/CARD.md of the kernel).",
)  # fmt: skip
def fill_card(folder: Path, output: Path | None) -> None:
    """Fill the card of the kernel in DIR (default: this folder); builds no variant."""
    kernel = Kernel(folder)
    outline = kernel.evaluate("card", CARD)
    if outline is None:
        fix = "write one: `kernel-builder init` makes it, docs/guide/uploading.md lists the names"
        problem = Problem(str(kernel.folder), "no CARD.md", "the card's template", fix)
        raise KernelBuilderError(f"{kernel.folder} has no CARD.md", [problem])
    made = make_path(outline, f"the card of {kernel.folder.name} cannot be filled")
    card = Path(made).read_text(encoding="utf-8")
    if output == Path("-"):
        click.echo(card, nl=False)
        return
    if output:
        output.write_text(card, encoding="utf-8")
    else:
        write_below(kernel.folder, "build/CARD.md", card.encode())
    place = str(output or kernel.folder / "build" / "CARD.md")
    print_result({"card": place}, place)


@click.command(short_help="Write a project for CMake and pip.")
@options.kernel_folder
@click.argument("target", metavar="[TARGET]", required=False, type=click.Path(path_type=Path))
@options.one_variant
@click.option("--force", is_flag=True, help="Replace files that were not made by this command.")
def create_pyproject(folder: Path, target: Path | None, variant: str | None, force: bool) -> None:
    """Write CMakeLists.txt, pyproject.toml and setup.py for the kernel in DIR.

    The compilers get the same flags as in a build. In `kernel-builder devshell`, or anywhere with
    a Torch of the right version (or TVM FFI), CMake, Ninja and a compiler:

    \b
      kernel-builder create-pyproject
      cmake -B build-ext && cmake --build build-ext     # or
      pip install --no-build-isolation -e .

    CMake also writes compile_commands.json, which editors read. With TARGET, the project is
    written there, with copies of the sources. `kernel-builder clean-pyproject` removes the written
    files, and nothing else.
    """
    kernel = Kernel(folder)
    chosen = choose_variant(kernel, variant)
    project = kernel.evaluate(f"project.{chosen}")
    place = (target or kernel.folder).resolve()
    files = collect_files(project, kernel.folder, copies=place != kernel.folder)
    place.mkdir(parents=True, exist_ok=True)
    written = write_project(files, place, overwrite=force)
    unchanged = sorted(set(files) - set(written))
    with_torch = f", with Torch {project['torch']}" if "torch==" in str(project["files"]) else ""
    print_result(
        {"variant": chosen, "folder": str(place), "written": written, "unchanged": unchanged},
        f"{place}: {len(written)} files written, {len(unchanged)} unchanged\n"
        f"for {chosen}{with_torch}",
    )


@click.command(short_help="Remove what create-pyproject wrote.")
@click.argument("folder", metavar="[DIR]", default=".", type=click.Path(path_type=Path))
def clean_pyproject(folder: Path) -> None:
    """Remove the files in DIR (default: this folder) that create-pyproject made.

    Files that were changed since stay, and so does what CMake and pip made (build-ext, .venv,
    compile_commands.json).
    """
    removed, changed = remove_project(folder.resolve())
    if changed:
        say("changed since they were made, and kept: " + ", ".join(changed))
    print_result({"removed": removed, "kept": changed}, f"{len(removed)} files removed")
