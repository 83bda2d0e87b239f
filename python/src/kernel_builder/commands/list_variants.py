"""`list-variants`: a kernel's variants, by name or with all there is to say."""

from __future__ import annotations

import json
from pathlib import Path

import click

from kernel_builder.commands import options
from kernel_builder.kernel.folder import Kernel


@click.command(short_help="List a kernel's variants.")
@options.kernel_folder
@click.option("--arch", is_flag=True, help="Only variants of this machine's system.")
@click.option(
    "--explain",
    is_flag=True,
    help="What each variant of this machine's system is, what it leaves out, or why it cannot be.",
)
@options.as_json
def list_variants(folder: Path, arch: bool, explain: bool, as_json: bool) -> None:
    """List the variants of the kernel in DIR (default: this folder)."""
    kernel = Kernel(folder)
    if explain:
        from kernel_builder.kernel.details import format_details

        details = kernel.evaluate("variantDetails")
        click.echo(json.dumps(details, indent=2) if as_json else format_details(details))
        return
    names = kernel.evaluate("archVariants" if arch else "variants")
    click.echo(json.dumps(names, indent=2) if as_json else "\n".join(names))
