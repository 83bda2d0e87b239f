"""`build` and the commands that go on from there: `build-and-copy`, `build-and-upload`."""

from __future__ import annotations

import sys
from dataclasses import asdict, replace
from pathlib import Path

import click

from kernel_builder import nix
from kernel_builder.commands import options
from kernel_builder.commands.publish import format_report, upload_options
from kernel_builder.hub import UploadOptions
from kernel_builder.kernel.folder import Kernel, open_kernel
from kernel_builder.kernel.untrusted import find_system
from kernel_builder.messages.terminal import complain, print_result, say
from kernel_builder.nix.confinement import NEWER_NIX, find_advisory
from kernel_builder.variants.build import BuildResult, build_kernel
from kernel_builder.variants.table import SYSTEMS, Choice, Limits, format_table


def build_for(kernel: Kernel, choice: Choice, limits: Limits) -> BuildResult:
    """Build for a command that prints another result: the table goes to standard error."""
    result = build_kernel(kernel, choice, limits)
    say(format_table(result.rows, sys.stderr))
    _show_messages(result, limits)
    return result


def _show_messages(result: BuildResult, limits: Limits) -> None:
    """Print the errors, and the known vulnerability of this Nix if it has one."""
    for error in result.errors:
        complain("error", str(error))
    version = () if limits.dry_run else nix.version()
    if advisory := version and find_advisory(version):
        complain("warning", f"Nix {'.'.join(map(str, version))} has {advisory}; {NEWER_NIX}")


def _split_by_system(choice: Choice) -> list[Choice]:
    """Return a choice for each system whose variants are named, that of `choice` first."""
    own = choice.system or find_system()
    names: dict[str, list[str]] = {}
    for name in choice.names:
        system = next((each for each in SYSTEMS if name.endswith(f"-{each}")), own)
        names.setdefault(system, []).append(name)
    here = names.pop(own, [])
    choices = [replace(choice, names=names[each], backends=(), system=each) for each in names]
    if here or choice.backends or not choices:
        choices.insert(0, replace(choice, names=here))
    return choices


@click.command(short_help="Build a kernel's variants and link them.")
@options.kernel_folder
@options.choice
@click.option(
    "--report", "file", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
    help="Write the times, memory and sizes of all steps: a page, or JSON for FILE.json.",
)  # fmt: skip
@options.untrusted
@options.limits
def build(folder: Path, choice: Choice, limits: Limits, file: Path | None) -> int:
    """Build the kernel in DIR (default: this folder) and link it as DIR/result.

    Sources that the store lacks come through the machine's own pip and apt. A variant whose
    sources cannot be had is left out. Variants of several systems may be named: those of another
    one are linked as DIR/result-SYSTEM.
    """
    first, *others = _split_by_system(choice)
    if file and others:
        raise click.UsageError("--report is for the variants of one system")
    result = build_kernel(open_kernel(folder, first.targets, first.system), first, limits)
    data, bundles = result.as_data(), [result]
    for each in others:
        kernel = open_kernel(folder, each.targets, each.system)
        bundles.append(build_kernel(kernel, each, limits, f"result-{each.system}"))
        result.rows += bundles[-1].rows
        result.errors += bundles[-1].errors
    if others:
        data["systems"] = [each.as_data() for each in bundles[1:]]
    if file and not limits.dry_run:
        from kernel_builder.report import collect_report, write_report

        data["report"] = collect_report(result)
    built = [each for each in bundles if each.bundle]
    links = [f"{each.link} -> {each.bundle}" if each.link else f"{each.bundle}" for each in built]
    text = format_table(result.rows, sys.stdout)
    print_result(data, "\n".join([text, "", *links]) if links else text)
    _show_messages(result, limits)
    if file and "report" in data:
        # A full disk takes away nothing but the report.
        write_report(data["report"], file)
        say(f"report: {file}")
    return 1 if result.errors else 0


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

    kernel = Kernel(folder, choice.targets, choice.system)
    result = build_for(kernel, choice, limits)
    copied, text = None, ""
    if result.bundle:
        target = kernel.folder / "build"
        copied = asdict(copy_bundle(Path(result.bundle), target, prune=prune))
        words = ("copied", "unchanged", "removed", "others")
        shown = (f"{word}: {', '.join(copied[word])}" for word in words if copied[word])
        text = f"{target}: {'; '.join(shown)}\n{describe_states(copied['sandbox'])}"
    print_result({**result.as_data(), "copied": copied}, text)
    return 1 if result.errors else 0


@click.command(short_help="Build every variant and upload them.")
@options.kernel_folder
@upload_options
@options.how_to_build
def build_and_upload(folder: Path, limits: Limits, asked: UploadOptions) -> int:
    """Build all variants of the kernel in DIR and upload them to the Hub.

    Nothing is uploaded unless every variant of this system was built; --partial uploads those
    that were.
    """
    # A missing library is an error before the build, not after it.
    from kernel_builder.hub.upload import upload_variants

    kernel = Kernel(folder)
    result = build_for(kernel, Choice(require_all=not asked.partial), limits)
    if result.errors or not result.bundle:
        return 1
    report = upload_variants(kernel, Path(result.bundle), asked)
    print_result(report, format_report(report))
    return 0
