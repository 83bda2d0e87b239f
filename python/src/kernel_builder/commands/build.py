"""`build` and what goes on from there: `build-and-copy`, `build-and-upload`."""

from __future__ import annotations

import os
import sys
from dataclasses import asdict
from pathlib import Path

import click

from kernel_builder import nix
from kernel_builder.commands import options
from kernel_builder.commands.upload import run_upload, upload_options
from kernel_builder.hub.target import Asked
from kernel_builder.kernel.folder import Kernel, open_kernel
from kernel_builder.messages.terminal import complain, print_json, say
from kernel_builder.nix.advisories import FIX, find_advisory
from kernel_builder.variants.build import Report, build_kernel
from kernel_builder.variants.request import Choice, Limits
from kernel_builder.variants.table import format_table


def build_for(kernel: Kernel, choice: Choice, limits: Limits) -> Report:
    """Build for a command whose result is another: the table is for people then."""
    report = build_kernel(kernel, choice, limits)
    say(format_table(report.rows, sys.stderr))
    _complain(report)
    _warn_of_nix()
    return report


def _warn_of_nix() -> None:
    """Print the known hole of this Nix, if it has one."""
    version = nix.version()
    if advisory := find_advisory(version):
        shown = ".".join(map(str, version))
        complain("warning", f"Nix {shown} has {advisory}; {FIX}")


def _complain(report: Report) -> None:
    if told := report.run.describe():
        say(told)
    for error in report.errors:
        complain("error", str(error))


@click.command(short_help="Build a kernel's variants and link them.")
@options.kernel_folder
@options.choice
@options.as_json
@click.option(
    "--report", "file", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
    help="Write what took how long, and how large it is: a page, or JSON for FILE.json.",
)  # fmt: skip
@options.untrusted
@options.limits
def build(folder: Path, choice: Choice, limits: Limits, as_json: bool, file: Path | None) -> int:
    """Build the kernel in DIR (default: this folder) and link it as DIR/result.

    Sources that the store lacks come through the machine's own pip and apt. A variant whose
    sources cannot be had is left out.
    """
    report = build_kernel(open_kernel(folder, choice.targets, choice.system), choice, limits)
    _complain(report)
    told = {}
    if file and not limits.dry_run:
        from kernel_builder.report.contents import describe

        told = {"report": describe(report)}
    if as_json:
        print_json({**report.as_data(), **told})
    else:
        click.echo(format_table(report.rows, sys.stdout), nl=bool(report.rows))
        if report.result:
            link = f"{_shown(report.link)} -> " if report.link else ""
            click.echo(f"\n{link}{report.result}")
        if not limits.dry_run:
            _warn_of_nix()
    if file and told:
        # Last, so that a full disk takes nothing but the report away.
        from kernel_builder.report import write

        write(told["report"], file)
        say(f"report: {file}")
    return 1 if report.errors else 0


def _shown(link: Path) -> str:
    """Return a path as short as it can be typed."""
    try:
        return os.path.join(".", link.relative_to(Path.cwd()))  # noqa: PTH118 (it drops the dot)
    except ValueError:
        return str(link)


@click.command(short_help="Build, and copy the result into build/.")
@options.kernel_folder
@options.choice
@click.option("--prune", is_flag=True, help="Remove variants from build/ that were not built now.")
@options.as_json
@options.limits
def build_and_copy(folder: Path, choice: Choice, limits: Limits, prune: bool, as_json: bool) -> int:
    """Build the kernel in DIR (default: this folder) and copy the result to DIR/build.

    The copy is yours to write to. Only files that changed are copied; variants from earlier
    builds stay, --prune removes them. The filled card comes along as build/CARD.md.
    """
    from kernel_builder.variants.copy import copy_bundle
    from kernel_builder.variants.sandbox import ON, describe, find_states

    kernel = Kernel(folder, choice.targets, choice.system)
    report = build_for(kernel, choice, limits)
    target = kernel.folder / "build"
    done = None
    if report.result:
        found = find_states({row.variant: Path(row.out) for row in report.rows if row.out})
        states = {name: each.state for name, each in found.items()}
        done = copy_bundle(Path(report.result), target, prune=prune, states=states)
    if as_json:
        copied = asdict(done) if done else None
        print_json({**report.as_data(), "copied": copied})
    elif done:
        removed = f", removed: {', '.join(done.removed)}" if done.removed else ""
        summary = f"{len(done.written)} files copied, {done.unchanged} unchanged{removed}"
        click.echo(f"{target}: {summary}")
        if set(states.values()) != {ON}:
            say(describe(found))
        if done.others:
            say(f"from earlier builds (--prune removes them): {', '.join(done.others)}")
    return 1 if report.errors else 0


@click.command(short_help="Build every variant and upload them.")
@options.kernel_folder
@upload_options
@options.how_to_build
def build_and_upload(folder: Path, limits: Limits, asked: Asked) -> int:
    """Build all variants of the kernel in DIR and upload them to the Hub.

    Nothing is uploaded unless every variant of this system was built; --partial uploads those
    that were.
    """
    from kernel_builder.hub.python import continue_with_library

    kernel = Kernel(folder)
    continue_with_library(sys.argv[1:])
    report = build_for(kernel, Choice(require_all=not asked.partial), limits)
    if report.errors or not report.result:
        return 1
    run_upload(kernel, Path(report.result), asked)
    return 0
