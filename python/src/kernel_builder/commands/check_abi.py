"""`kernel-builder check-abi`: do the binaries of built variants load everywhere."""

from __future__ import annotations

from pathlib import Path

import click

from kernel_builder.variants.checks import Checks, show
from kernel_builder.variants.result import find_variants


@click.command("check-abi", short_help="Check that binaries load everywhere.")
@click.argument(
    "folders", nargs=-1, required=True, metavar="DIR...", type=click.Path(path_type=Path)
)
@click.option("--fetch", is_flag=True, help="Fetch a variant's Torch to compare its symbols.")
def command(folders: tuple[Path, ...], fetch: bool) -> int:
    """Check the binaries in DIR: a variant, a bundle, or a kernel with a build/ folder."""
    checks = Checks(may_fetch=fetch)
    good = [show(checks.check_abi(variant)) for variant in find_variants(folders)]
    return 0 if all(good) else 1
