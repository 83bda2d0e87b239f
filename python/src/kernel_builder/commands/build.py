"""`kernel-builder build`: fetch, build, link the result, and say what became of each variant."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import click

from kernel_builder.commands import options
from kernel_builder.kernel.folder import Kernel
from kernel_builder.messages.terminal import complain
from kernel_builder.variants.build import build_kernel
from kernel_builder.variants.request import Choice, Limits
from kernel_builder.variants.table import format_table


@click.command("build", short_help="Build a kernel's variants and link them.")
@options.kernel_folder
@options.choice
@options.as_json
@options.limits
def command(folder: Path, choice: Choice, limits: Limits, as_json: bool) -> int:
    """Build the kernel in DIR (default: this folder) and link it as DIR/result.

    Sources that the store lacks come through the machine's own pip and apt. A variant whose
    sources cannot be had is left out.
    """
    kernel = Kernel(folder)
    report = build_kernel(kernel, choice, limits)
    for error in report.errors:
        complain("error", str(error))
    if as_json:
        click.echo(json.dumps(report.as_data(), indent=2))
    else:
        click.echo(format_table(report.rows, sys.stdout), nl=bool(report.rows))
        if report.result:
            click.echo(f"\n{_shown(report.link)} -> {report.result}")
    return 1 if report.errors else 0


def _shown(link: Path) -> str:
    """Return a path as short as it can be typed."""
    try:
        return os.path.join(".", link.relative_to(Path.cwd()))  # noqa: PTH118 (it drops the dot)
    except ValueError:
        return str(link)
