"""`kernel-builder build-and-upload`: build every variant, then upload them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from kernel_builder.build.derivations import Options
from kernel_builder.build.table import format_table
from kernel_builder.build.variants import build_variants
from kernel_builder.commands.options import how_to_build
from kernel_builder.commands.upload import UploadOptions, run_upload, upload_options
from kernel_builder.hub.python import continue_with_library
from kernel_builder.kernel.folder import Kernel
from kernel_builder.kernel.manifest import read_manifest
from kernel_builder.kernel.notices import show_warnings
from kernel_builder.messages.terminal import complain, is_live, paint, say


@click.command("build-and-upload")
@click.argument("folder", metavar="[DIR]", default=".", type=click.Path(path_type=Path))
@upload_options
@how_to_build
def command(
    folder: Path, print_logs: bool, max_jobs: int | None, cores: int | None, **given: Any
) -> int:
    """Build all variants of the kernel in DIR and upload them to the Hub.

    Nothing is uploaded unless every variant of this system was built; --partial uploads those
    that were.
    """
    options = UploadOptions.take(given)
    continue_with_library(sys.argv[1:])
    kernel = Kernel(folder)
    data = kernel.evaluate("manifest")
    manifest = read_manifest(data)
    show_warnings(manifest, manifest.variants)
    report = build_variants(
        kernel,
        manifest,
        manifest.variants,
        Options(print_logs, max_jobs, cores),
        require_all=not options.partial,
        link=Path.cwd() / "result",
    )
    live = is_live()
    say(format_table(report.rows, lambda text, colour: paint(text, colour, live=live)))
    for error in report.errors:
        complain("error", str(error))
    if report.errors or not report.result:
        return 1
    run_upload(kernel, data, Path(report.result), options)
    return 0
