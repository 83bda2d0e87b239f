"""`check-builds` and `check-abi`: the checks of a build, on variants that are built."""

from __future__ import annotations

from pathlib import Path

import click

from kernel_builder.messages.terminal import clean, say
from kernel_builder.variants.checks import CHECKS, check_variant
from kernel_builder.variants.result import list_built_variants, read_variant_name

FETCH = click.option(
    "--fetch", is_flag=True, help="Fetch a variant's Torch to compare its symbols."
)


def _show_check(variant: Path, check: str, may_fetch: bool) -> bool:
    """Print what a check says; return whether the variant passes it."""
    done = check_variant(variant, check, may_fetch=may_fetch)
    click.echo(clean(done.stdout), nl=False)
    click.echo(clean(done.stderr), nl=False, err=True)
    return done.status == 0


@click.command(short_help="Check that binaries load everywhere.")
@click.argument(
    "folders", nargs=-1, required=True, metavar="DIR...", type=click.Path(path_type=Path)
)
@FETCH
def check_abi(folders: tuple[Path, ...], fetch: bool) -> int:
    """Check the binaries in DIR: a variant, a bundle, or a kernel with a build/ folder."""
    passed = [_show_check(variant, "abi", fetch) for variant in list_built_variants(folders)]
    return 0 if all(passed) else 1


@click.command(short_help="Check all there is of built variants.")
@click.argument("folder", metavar="[DIR]", default=".", type=click.Path(path_type=Path))
@FETCH
def check_builds(folder: Path, fetch: bool) -> int:
    """Check layout, digest, registrations and binaries of the variants in DIR.

    DIR (default: this folder) is a variant, a bundle, or a kernel with a build/ folder.
    """
    variants, passed = list_built_variants([folder]), 0
    for variant in variants:
        click.echo(f"--- {read_variant_name(variant)} ---")
        # Every check runs, whatever the others say.
        results = [_show_check(variant, check, fetch) for check in CHECKS]
        passed += all(results)
        click.echo()
    say(f"{passed} of {len(variants)} variants are as they should be")
    return 0 if passed == len(variants) else 1
