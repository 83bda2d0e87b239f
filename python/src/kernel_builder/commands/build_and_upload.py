"""`kernel-builder build-and-upload`: build every variant, then upload them."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from kernel_builder.commands import options
from kernel_builder.commands.upload import UploadOptions, run_upload, upload_options
from kernel_builder.hub.python import continue_with_library
from kernel_builder.kernel.folder import Kernel
from kernel_builder.messages.terminal import complain, say
from kernel_builder.variants.build import build_kernel
from kernel_builder.variants.request import Choice, Limits
from kernel_builder.variants.table import format_table


@click.command("build-and-upload", short_help="Build every variant and upload them.")
@options.kernel_folder
@upload_options
@options.how_to_build
def command(folder: Path, limits: Limits, upload: UploadOptions) -> int:
    """Build all variants of the kernel in DIR and upload them to the Hub.

    Nothing is uploaded unless every variant of this system was built; --partial uploads those
    that were.
    """
    kernel = Kernel(folder)
    continue_with_library(sys.argv[1:])
    report = build_kernel(kernel, Choice(require_all=not upload.partial), limits)
    say(format_table(report.rows, sys.stderr))
    for error in report.errors:
        complain("error", str(error))
    if report.errors or not report.result:
        return 1
    run_upload(kernel, Path(report.result), upload)
    return 0
