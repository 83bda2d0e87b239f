"""`fill-card`, `create-pyproject` and `clean-pyproject`: files that Nix makes for a kernel."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import click

from kernel_builder.commands import options
from kernel_builder.kernel.folder import Kernel
from kernel_builder.machine.files import (
    find_below,
    hash_file,
    list_files,
    read_file,
    replace_text,
    write_below,
)
from kernel_builder.messages.errors import KernelBuilderError, Problem, shorten
from kernel_builder.messages.terminal import print_result, say
from kernel_builder.nix import OUTLINE
from kernel_builder.variants.default import choose_variants
from kernel_builder.variants.make import make_path

# The record has the digest of each written file: another file of that name is the user's.
RECORD: Final = ".kernel-builder/made.json"
CARD: Final = f"card: if card == null then null else ({OUTLINE}) card"


@click.command(short_help="Fill in the kernel's card.")
@options.kernel_folder
@click.argument("file", metavar="[FILE]", required=False, type=options.PATH)
def fill_card(folder: Path, file: Path | None) -> None:
    """Fill the card of the kernel in DIR (default: this folder); builds no variant.

    The card is printed, or written to FILE.
    """
    kernel = Kernel(folder)
    outline = kernel.evaluate("card", CARD)
    if outline is None:
        fix = "write one: `kernel-builder init` makes it, docs/guide/uploading.md lists the names"
        problem = Problem(str(kernel.folder), "no CARD.md", "the card's template", fix)
        raise KernelBuilderError(f"{kernel.folder} has no CARD.md", [problem])
    made = make_path(outline, f"the card of {kernel.folder.name} cannot be filled")
    card = Path(made).read_text(encoding="utf-8")
    place = None if file is None or file == Path("-") else str(file)
    if place:
        replace_text(Path(place), card)
    print_result({"card": place, "text": card}, place or card.removesuffix("\n"))


@click.command(short_help="Write a project for CMake and pip.")
@options.kernel_folder
@options.target_folder
@options.one_variant
@click.option("-f", "--force", is_flag=True, help="Also replace files of yours.")
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
    select = "projects: name: projects.${name}"
    chosen, project = next(choose_variants(kernel, variant, "project", select))
    place = (target or kernel.folder).resolve()
    files = collect_files(project, kernel.folder, copies=place != kernel.folder)
    place.mkdir(parents=True, exist_ok=True)
    written = write_project(files, place, overwrite=force)
    unchanged = sorted(set(files) - set(written))
    print_result(
        {"variant": chosen, "folder": str(place), "written": written, "unchanged": unchanged},
        f"{place}: {len(written)} files written, {len(unchanged)} unchanged\nfor {chosen}",
    )


@click.command(short_help="Remove what create-pyproject wrote.")
@options.kernel_folder
@options.target_folder
@options.dry_run
@click.option("-f", "--force", is_flag=True, help="Also remove files that were changed since.")
def clean_pyproject(folder: Path, target: Path | None, dry_run: bool, force: bool) -> None:
    """Remove the files in DIR (default: this folder), or TARGET, that create-pyproject made.

    Files that were changed since stay, and so does what CMake and pip made (build-ext, .venv,
    compile_commands.json).
    """
    place = (target or folder).resolve()
    removed, changed = remove_project(place, also_changed=force, dry_run=dry_run)
    if changed:
        say("changed since they were made, and kept: " + ", ".join(changed))
    count = f"{len(removed)} files {'would be ' if dry_run else ''}removed"
    text = "\n".join([*removed, count] if dry_run else [count])
    print_result({"removed": removed, "kept": changed, "dry-run": dry_run}, text)


def collect_files(project: Mapping[str, Any], kernel: Path, *, copies: bool) -> dict[str, bytes]:
    """Return the files of a project by their names.

    `project` is the kernel's output of that name. `copies` adds the kernel's own sources, Python
    files and tests, for a project in another folder.
    """
    files = {name: text.encode() for name, text in project["files"].items()}
    if not copies:
        return files
    names = [name for unit in project["units"] for name in (unit["source"], *unit["headers"])]
    endings = tuple(f".{ending}" for ending in project["pyext"])
    for folder in (project["pythonFolder"], "tests"):
        if (kernel / folder).is_dir():
            present = list_files(kernel / folder)
            names += [f"{folder}/{name}" for name in present if name.endswith(endings)]
    return {name: read_file(kernel / name) for name in names} | files


def write_project(files: Mapping[str, bytes], folder: Path, *, overwrite: bool) -> list[str]:
    """Write a project and its record; return the names of the files that change.

    Raises KernelBuilderError if a file of the user would be replaced, unless `overwrite` is set.
    """
    record, present = _read_record(folder), _hash_present(folder, files)
    written = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
    changed = [name for name in files if present.get(name) != written[name]]
    foreign = [name for name in changed if present.get(name) not in (None, record.get(name))]
    if foreign and not overwrite:
        found = "files that were there before, or changed since: " + ", ".join(shorten(foreign))
        fix = "move them away, or --force to replace them"
        problem = Problem(str(folder), found, "only files that create-pyproject made", fix)
        headline = f"the project would replace {len(foreign)} files of yours"
        raise KernelBuilderError(headline, [problem])
    for name in changed:
        write_below(folder, name, files[name])
    # Files of an earlier project are removed with this one.
    write_below(folder, RECORD, json.dumps(record | written, indent=2).encode())
    return changed


def remove_project(
    folder: Path, *, also_changed: bool = False, dry_run: bool = False
) -> tuple[list[str], list[str]]:
    """Remove the files of a project, and folders that are empty then.

    Return the names of the removed files, and of those that were changed and stay. A dry run
    removes nothing.
    """
    record = _read_record(folder)
    present = _hash_present(folder, record)
    removed = [name for name in present if also_changed or present[name] == record[name]]
    kept = {name: record[name] for name in present if name not in removed}
    # A later call knows the files that stay.
    if kept and not dry_run:
        write_below(folder, RECORD, json.dumps(kept, indent=2).encode())
    gone = [] if dry_run else removed if kept else [*removed, RECORD]
    for path in [folder / name for name in gone]:
        path.unlink(missing_ok=True)
        if path.parent != folder:
            with suppress(OSError):
                path.parent.rmdir()
    return removed, [*kept]


def _read_record(folder: Path) -> dict[str, str]:
    """Return the record. Without one, or with a damaged one, every file is the user's."""
    try:
        return dict(json.loads(read_file(find_below(folder, RECORD))))
    except (FileNotFoundError, TypeError, ValueError):
        return {}


def _hash_present(folder: Path, names: Iterable[str]) -> dict[str, str]:
    """Return the digests of the files that are there."""
    paths = {name: find_below(folder, name) for name in names}
    return {name: hash_file(path) for name, path in paths.items() if path.exists()}
