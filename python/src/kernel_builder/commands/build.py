"""`build`, and `build-and-copy`, which goes on from there."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from kernel_builder.commands import options, results
from kernel_builder.extras import load_added_options
from kernel_builder.messages.terminal import print_result
from kernel_builder.variants.build import build_kernels
from kernel_builder.variants.outcome import build_wheels
from kernel_builder.variants.table import Choice


@click.command(short_help="Build the variants of kernels and link them.")
@options.kernel_folders
@options.choice
@options.dry_run
@click.option("--wheels", is_flag=True, help="Also link a folder of wheels as DIR/wheels.")
@options.untrusted
@options.sources
def build(folders: Sequence[Path], wheels: bool, **arguments: Any) -> int:
    """Build the kernel in DIR (default: this folder) and link it as DIR/result.

    Sources that the store lacks come through the machine's own pip and apt. A variant whose
    sources cannot be had is left out.

    Several DIR, such as kernels/*, are evaluated in parallel and built as one. A mistake in one
    does not stop the others; the command fails at its end.
    """
    choice = Choice(**arguments, select=click.get_current_context().meta.get(results.SELECT))
    if wheels and choice.targets:
        raise click.UsageError("--wheels is for whole variants, which --capability does not build")
    built = build_kernels(folders, choice)
    indexes = [build_wheels(each) for each in built if wheels and each.bundle]
    data = results.as_data(built, folders)
    if not choice.dry_run:
        for add in click.get_current_context().meta.get(results.ADDITIONS, ()):
            data |= add(built)
    text = results.format_results(built, sys.stdout)
    pairs = [*((each.bundle, each.link) for each in built if each.bundle), *filter(None, indexes)]
    links = [f"{link} -> {path}" if link else f"{path}" for path, link in pairs]
    print_result(data, "\n".join([text, "", *links]) if links else text)
    results.show_messages(built)
    return 1 if any(each.errors for each in built) else 0


build.params += load_added_options("build")


@click.command(short_help="Build, and copy the result into build/.")
@options.kernel_folder
@options.choice
@click.option("--prune", is_flag=True, help="Remove variants from build/ that were not built now.")
@options.dry_run
@options.sources
def build_and_copy(folder: Path, prune: bool, **choice: Any) -> int:
    """Build the kernel in DIR (default: this folder) and copy the result to DIR/build.

    The copy is yours to write to. Variants from earlier builds stay, --prune removes them. The
    filled card comes along as build/CARD.md.
    """
    from kernel_builder.variants.copy import copy_bundle
    from kernel_builder.variants.sandbox import describe_states

    (result,) = results.build_before([folder], Choice(**choice))
    copied, text = None, ""
    if result.kernel and result.bundle:
        target = result.kernel.folder / "build"
        copied = copy_bundle(Path(result.bundle), target, prune=prune)._asdict()
        words = ("copied", "unchanged", "removed", "others")
        shown = (f"{word}: {', '.join(copied[word])}" for word in words if copied[word])
        text = f"{target}: {'; '.join(shown)}\n{describe_states(copied['sandbox'])}"
    print_result({**result.as_data(), "copied": copied}, text)
    return 1 if result.errors else 0
