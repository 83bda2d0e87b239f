"""`kernel-builder check-builds`: everything that can be checked about built variants."""

from __future__ import annotations

from pathlib import Path

import click

from kernel_builder.messages.terminal import say
from kernel_builder.variants.checks import Checks, show
from kernel_builder.variants.result import find_variants, name_of


@click.command("check-builds", short_help="Check all there is of built variants.")
@click.argument("folder", metavar="[DIR]", default=".", type=click.Path(path_type=Path))
@click.option("--fetch", is_flag=True, help="Fetch a variant's Torch to compare its symbols.")
def command(folder: Path, fetch: bool) -> int:
    """Check layout, digest, registrations and binaries of the variants in DIR.

    DIR (default: this folder) is a variant, a bundle, or a kernel with a build/ folder.
    """
    checks = Checks(may_fetch=fetch)
    variants = find_variants([folder])
    bad = 0
    for variant in variants:
        name = name_of(variant)
        click.echo(f"--- {name} ---")
        good = [
            show(checks.check_layout(variant)),
            show(checks.check_registration(variant, name)),
            show(checks.check_abi(variant)),
        ]
        bad += not all(good)
        click.echo()
    say(f"{len(variants) - bad} of {len(variants)} variants are as they should be")
    return 1 if bad else 0
