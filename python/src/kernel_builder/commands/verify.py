"""`verify`: builds published variants again, and compares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click

from kernel_builder.commands import options
from kernel_builder.messages.names import show
from kernel_builder.messages.terminal import complain, print_result
from kernel_builder.settings import change_settings
from kernel_builder.variants.table import Limits


@click.command(short_help="Build what is published again, and compare.")
@click.argument("what", metavar="REPO|DIR")
@click.option("--variant", "names", multiple=True, help="Verify this variant (repeatable).")
@click.option(
    "--source", metavar="ADDRESS|DIR", help="Where the kernel's commit is (default: as published)."
)
@options.allow_vulnerable
@options.how_to_build
def verify(what: str, names: Sequence[str], source: str | None, limits: Limits) -> int:
    """Build the variants of REPO or in DIR again, and compare them to the byte.

    REPO is owner/name on the Hub, where the newest version is taken, or owner/name@revision; DIR is
    a variant, a bundle, or a kernel with its variants in build/ or result. Each variant says which
    commit of the kernel it was built from, and that commit's flake.lock says with which
    kernel-builder. The kernel is treated as one of others (build --untrusted). Ends well only if
    every file of every variant of this system is the same.
    """
    from kernel_builder.hub.verify import verify_published

    change_settings(untrusted=True)
    verdict = verify_published(what, names, source, limits)
    for error in verdict["errors"]:
        complain("error", error)
    print_result(verdict, format_verdict(verdict))
    return 0 if verdict["is-good"] else 1


def format_verdict(verdict: Mapping[str, Any]) -> str:
    """Return the result of a verification for people."""
    lines = [verdict["title"]]
    for each in verdict["rebuilt"]:
        lines += [f"  {each['variant']} ({each['state']})", f"    built from {each['origin']}"]
        lines += [f"    {each['builder']}"]
    lines += [f"  {name} is not compared: {why}" for name, why in verdict["not-compared"].items()]
    lines += [f"  {path}: {how}" for path, how in verdict["differences"].items()]
    lines += ["all files are the same" if verdict["is-good"] else "not what its commit gives"]
    # Names come from strangers.
    return "\n".join(map(show, lines))
