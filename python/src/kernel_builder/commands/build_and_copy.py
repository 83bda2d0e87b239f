"""`kernel-builder build-and-copy`: build, then copy the bundle into the kernel's `build/`."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path

import click

from kernel_builder.commands import options
from kernel_builder.kernel.folder import Kernel
from kernel_builder.messages.terminal import complain, say
from kernel_builder.variants.build import build_kernel
from kernel_builder.variants.copy import copy_bundle
from kernel_builder.variants.request import Choice, Limits
from kernel_builder.variants.table import format_table


@click.command("build-and-copy", short_help="Build, and copy the result into build/.")
@options.kernel_folder
@options.choice
@click.option("--prune", is_flag=True, help="Remove variants from build/ that were not built now.")
@options.as_json
@options.limits
def command(folder: Path, choice: Choice, limits: Limits, prune: bool, as_json: bool) -> int:
    """Build the kernel in DIR (default: this folder) and copy the result to DIR/build.

    The copy is yours to write to. Only files that changed are copied; variants from earlier
    builds stay, --prune removes them. The filled card comes along as build/CARD.md.
    """
    kernel = Kernel(folder)
    report = build_kernel(kernel, choice, limits)
    say(format_table(report.rows, sys.stderr))
    for error in report.errors:
        complain("error", str(error))
    target = kernel.folder / "build"
    done = copy_bundle(Path(report.result), target, prune=prune) if report.result else None
    if as_json:
        copied = asdict(done) if done else None
        click.echo(json.dumps({**report.as_data(), "copied": copied}, indent=2))
    elif done:
        summary = f"{len(done.written)} files copied, {done.unchanged} unchanged"
        if done.removed:
            summary += f", removed: {', '.join(done.removed)}"
        click.echo(f"{target}: {summary}")
        if done.others:
            say(f"from earlier builds (--prune removes them): {', '.join(done.others)}")
    return 1 if report.errors else 0
