"""`create-pyproject` and `clean-pyproject`: the kernel as a project of CMake and setuptools."""

from __future__ import annotations

from pathlib import Path

import click

from kernel_builder.commands import options
from kernel_builder.develop.files import collect_files, remove_project, write_project
from kernel_builder.develop.shells import choose_variant
from kernel_builder.kernel.folder import Kernel
from kernel_builder.messages.terminal import print_result, say


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
