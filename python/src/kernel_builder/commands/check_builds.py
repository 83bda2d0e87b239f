"""`check-builds` and `check-abi`: what can be checked of variants that are built."""

from __future__ import annotations

from pathlib import Path

import click

from kernel_builder.messages.terminal import say
from kernel_builder.variants.checks import Checks, show
from kernel_builder.variants.result import find_variants, name_of

FETCH = click.option(
    "--fetch", is_flag=True, help="Fetch a variant's Torch to compare its symbols."
)


@click.command(short_help="Check that binaries load everywhere.")
@click.argument(
    "folders", nargs=-1, required=True, metavar="DIR...", type=click.Path(path_type=Path)
)
@FETCH
def check_abi(folders: tuple[Path, ...], fetch: bool) -> int:
    """Check the binaries in DIR: a variant, a bundle, or a kernel with a build/ folder."""
    checks = Checks(may_fetch=fetch)
    good = [show(checks.check_abi(variant)) for variant in find_variants(folders)]
    return 0 if all(good) else 1


@click.command(short_help="Check all there is of built variants.")
@click.argument("folder", metavar="[DIR]", default=".", type=click.Path(path_type=Path))
@FETCH
def check_builds(folder: Path, fetch: bool) -> int:
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
