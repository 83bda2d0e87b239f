"""`kernel-builder build`: fetch, build, link the result, and say what became of each variant."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from kernel_builder.build.derivations import Options
from kernel_builder.build.table import as_data, format_table
from kernel_builder.build.variants import build_variants
from kernel_builder.commands.options import how_to_build, what_to_build
from kernel_builder.kernel.folder import Kernel
from kernel_builder.kernel.manifest import read_manifest, select_variants
from kernel_builder.kernel.notices import show_warnings
from kernel_builder.messages.terminal import complain, is_live, paint


@click.command("build")
@click.argument("folder", metavar="[DIR]", default=".", type=click.Path(path_type=Path))
@what_to_build
@click.option("--json", "as_json", is_flag=True, help="Print the closing table as JSON.")
@how_to_build
def command(
    folder: Path,
    names: tuple[str, ...],
    backends: tuple[str, ...],
    require_all: bool,
    as_json: bool,
    print_logs: bool,
    max_jobs: int | None,
    cores: int | None,
) -> int:
    """Build the kernel in DIR (default: this folder) and link it as ./result.

    Sources that the store lacks come through the machine's own pip and apt. A variant whose
    sources cannot be had is left out.
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
        link=Path.cwd() / "result",
    )
    for error in report.errors:
        complain("error", str(error))
    if as_json:
        data = {
            "name": manifest.name,
            "system": manifest.system,
            "result": report.result,
            "variants": as_data(report.rows),
        }
        click.echo(json.dumps(data, indent=2))
    else:
        live = is_live(sys.stdout)
        click.echo(format_table(report.rows, lambda text, colour: paint(text, colour, live=live)))
        if report.result:
            click.echo(f"\n./result -> {report.result}")
    return 1 if report.errors else 0
