"""`kernel-builder list-variants`: the names of a kernel's variants."""

from __future__ import annotations

import json
from pathlib import Path

import click

from kernel_builder.kernel import Kernel


@click.command("list-variants")
@click.argument("folder", metavar="[DIR]", default=".", type=click.Path(path_type=Path))
@click.option("--arch", is_flag=True, help="Only variants of this machine's system.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list.")
def command(folder: Path, arch: bool, as_json: bool) -> None:
    """List the variants of the kernel in DIR (default: this folder)."""
    names = Kernel(folder).evaluate("archVariants" if arch else "variants")
    click.echo(json.dumps(names, indent=2) if as_json else "\n".join(names))
