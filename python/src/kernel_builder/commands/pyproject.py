"""`create-pyproject` and `clean-pyproject`: the kernel as a project of CMake and setuptools."""

from __future__ import annotations

from pathlib import Path

import click

from kernel_builder.commands import options
from kernel_builder.develop.files import remove_files, write_files
from kernel_builder.messages.terminal import say


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

    Editors find the flags in compile_commands.json, written where Python has the same. With TARGET,
    the project is made there, with copies of the sources. `kernel-builder clean-pyproject` takes
    away what was made, and nothing else.
    """
    from kernel_builder.develop.project import MODULES, list_modules, make_project
    from kernel_builder.develop.shells import choose_variant
    from kernel_builder.kernel.folder import Kernel

    kernel = Kernel(folder)
    chosen = choose_variant(kernel, variant, for_shell=False)
    project = kernel.evaluate(f"project.{chosen}")
    place = (target or kernel.folder).resolve()
    files = make_project(project, kernel.folder, place)
    place.mkdir(parents=True, exist_ok=True)
    if project["units"] and "compile_commands.json" not in files:
        lacking = " or no ".join(MODULES[package][2] for package in list_modules(project))
        say(f"no compile_commands.json: the python3 on the PATH has no {lacking}")
    written = write_files(files, place, overwrite=force)
    click.echo(f"{place}: {len(written)} files written, {len(files) - len(written)} unchanged")
    with_torch = f", with Torch {project['torch']}" if "torch" in list_modules(project) else ""
    click.echo(f"for {chosen}{with_torch}")


@click.command(short_help="Remove what create-pyproject wrote.")
@click.argument("folder", metavar="[DIR]", default=".", type=click.Path(path_type=Path))
def clean_pyproject(folder: Path) -> None:
    """Remove the files in DIR (default: this folder) that create-pyproject made.

    Files that were changed since stay, and so does what CMake and pip made (build-ext, .venv).
    """
    removed, changed = remove_files(folder.resolve())
    click.echo(f"{len(removed)} files removed")
    if changed:
        say("changed since they were made, and kept: " + ", ".join(changed))
