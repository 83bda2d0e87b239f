"""`kernel-builder prefetch`: sources into the store, through the machine's own pip and apt."""

from __future__ import annotations

import click

from kernel_builder.messages.errors import KernelBuilderError
from kernel_builder.messages.terminal import say
from kernel_builder.sources.fetcher import Fetcher
from kernel_builder.sources.missing import describe, fetch_missing, find_missing


@click.command("prefetch")
@click.argument("installables", nargs=-1, required=True, metavar="INSTALLABLE...")
def command(installables: tuple[str, ...]) -> None:
    """Fetch what building INSTALLABLE needs and the store does not have.

    An INSTALLABLE is what `nix build` takes (./mykernel#bundle), or a path to a .drv file.
    Afterwards `nix build` needs no network.
    """
    missing = find_missing(installables)
    refused = fetch_missing(missing, Fetcher())
    if refused:
        count = len(missing.sources)
        raise KernelBuilderError(
            f"{len(refused)} of {count} missing sources cannot be had", describe(refused)
        )
    if missing.sources:
        say(f"fetched {len(missing.sources)} sources; all that is needed is in the store")
    else:
        say("all that is needed is in the store")
