"""`kernel-builder build-and-copy`: build, then copy the bundle into the kernel's `build/`."""

from __future__ import annotations

from pathlib import Path

import click

from kernel_builder.build.copy import copy_bundle
from kernel_builder.build.derivations import Options
from kernel_builder.build.table import format_table
from kernel_builder.build.variants import build_variants
from kernel_builder.commands.options import how_to_build, what_to_build
from kernel_builder.kernel.folder import Kernel
from kernel_builder.kernel.manifest import read_manifest, select_variants
from kernel_builder.kernel.notices import show_warnings
from kernel_builder.messages.terminal import complain, is_live, paint, say


@click.command("build-and-copy")
@click.argument("folder", metavar="[DIR]", default=".", type=click.Path(path_type=Path))
@what_to_build
@click.option("--prune", is_flag=True, help="Remove variants from build/ that were not built now.")
@how_to_build
def command(
    folder: Path,
    names: tuple[str, ...],
    backends: tuple[str, ...],
    require_all: bool,
    prune: bool,
    print_logs: bool,
    max_jobs: int | None,
    cores: int | None,
) -> int:
    """Build the kernel in DIR (default: this folder) and copy the result to DIR/build.

    The copy is yours to write to. Only files that changed are copied; variants from earlier
    builds stay, --prune removes them. The filled card comes along as build/CARD.md.
    """
    kernel = Kernel(folder)
    manifest = read_manifest(kernel.evaluate("manifest"))
    selected = select_variants(manifest, names, backends)
    show_warnings(manifest, selected)
    report = build_variants(
        kernel,
        manifest,
        selected,
        Options(print_logs, max_jobs, cores),
        require_all=require_all,
        link=kernel.folder / "result",
    )
    live = is_live()
    say(format_table(report.rows, lambda text, colour: paint(text, colour, live=live)))
    for error in report.errors:
        complain("error", str(error))
    if report.result:
        target = kernel.folder / "build"
        done = copy_bundle(Path(report.result), target, prune=prune)
        summary = f"{len(done.written)} files copied, {done.unchanged} unchanged"
        if done.removed:
            summary += f", removed: {', '.join(done.removed)}"
        click.echo(f"{target}: {summary}")
        if done.others:
            say(f"from earlier builds (--prune removes them): {', '.join(done.others)}")
    return 1 if report.errors else 0
