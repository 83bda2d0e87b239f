"""`build` and the commands that go on from there: `build-and-copy`, `build-and-upload`."""

import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

import click

from kernel_builder.commands import options
from kernel_builder.commands.results import (
    as_data,
    build_for,
    collect_additions,
    format_results,
    request_builds,
    show_messages,
)
from kernel_builder.commands.uploads import show_report, upload_options
from kernel_builder.hub import UploadOptions
from kernel_builder.kernel.several import name_kernels
from kernel_builder.messages.terminal import print_result
from kernel_builder.variants.build import build_kernels, build_wheels
from kernel_builder.variants.table import Choice, Limits


@click.command(short_help="Build the variants of kernels and link them.")
@options.kernel_folders
@options.choice
@click.option("--wheels", is_flag=True, help="Also link a folder of wheels as DIR/wheels.")
@options.untrusted
@options.limits
def build(folders: Sequence[Path], choice: Choice, limits: Limits, wheels: bool) -> int:
    """Build the kernel in DIR (default: this folder) and link it as DIR/result.

    Sources that the store lacks come through the machine's own pip and apt. A variant whose
    sources cannot be had is left out.

    Several DIR, such as kernels/*, are evaluated in parallel and built as one. A mistake in one
    does not stop the others; the command fails at its end.
    """
    names = name_kernels(folders)
    if wheels and choice.targets:
        raise click.UsageError("--wheels is for whole variants, which --capability does not build")
    results = build_kernels(request_builds(folders, names, choice), choice, limits)
    indexes = [build_wheels(each) for each in results if wheels and each.bundle]
    data = as_data(results, folders)
    if not limits.dry_run:
        data |= collect_additions(results)
    built = [each for each in results if each.bundle]
    pairs = [*((each.bundle, each.link) for each in built), *filter(None, indexes)]
    links = [f"{link} -> {path}" if link else f"{path}" for path, link in pairs]
    text = format_results(results, names, sys.stdout)
    print_result(data, "\n".join([text, "", *links]) if links else text)
    show_messages(results, limits)
    return 1 if any(each.errors for each in results) else 0


@click.command(short_help="Build, and copy the result into build/.")
@options.kernel_folder
@options.choice
@click.option("--prune", is_flag=True, help="Remove variants from build/ that were not built now.")
@options.limits
def build_and_copy(folder: Path, choice: Choice, limits: Limits, prune: bool) -> int:
    """Build the kernel in DIR (default: this folder) and copy the result to DIR/build.

    The copy is yours to write to. Variants from earlier builds stay, --prune removes them. The
    filled card comes along as build/CARD.md.
    """
    from kernel_builder.variants.copy import copy_bundle
    from kernel_builder.variants.sandbox import describe_states

    ((result,), _) = build_for([folder], choice, limits)
    copied, text = None, ""
    if result.kernel and result.bundle:
        target = result.kernel.folder / "build"
        copied = asdict(copy_bundle(Path(result.bundle), target, prune=prune))
        words = ("copied", "unchanged", "removed", "others")
        shown = (f"{word}: {', '.join(copied[word])}" for word in words if copied[word])
        text = f"{target}: {'; '.join(shown)}\n{describe_states(copied['sandbox'])}"
    print_result({**result.as_data(), "copied": copied}, text)
    return 1 if result.errors else 0


@click.command(short_help="Build every variant and upload them.")
@options.kernel_folder
@click.option("--variant", "names", multiple=True, help="Only this variant (repeatable).")
@upload_options
@options.how_to_build
def build_and_upload(
    folder: Path, limits: Limits, asked: UploadOptions, names: Sequence[str]
) -> int:
    """Build all variants of the kernel in DIR and upload them to the Hub.

    Nothing is uploaded unless every variant of this system was built, or every --variant;
    --partial uploads those that were.
    """
    # A missing library is an error before the build, not after it.
    from kernel_builder.hub.upload import upload_variants

    choice = Choice(names, require_all=not asked.partial)
    ((result,), _) = build_for([folder], choice, limits)
    if result.errors or not result.bundle:
        return 1
    # The others may be on the Hub already.
    asked = replace(asked, partial=True) if names else asked
    show_report(upload_variants(result.kernel, Path(result.bundle), asked), asked)
    return 0
