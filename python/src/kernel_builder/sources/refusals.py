"""Why one way to get a source did not work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Union

from kernel_builder.nix.errors import MORE_SPACE
from kernel_builder.sources.coordinates import Source, sri


@dataclass(frozen=True)
class Refusal:
    """What was found instead of the file, and the way out."""

    found: str
    fix: str


# How sources ended: each with its file, with why there is none, or with None if Nix has it already.
Ends = Mapping[Source, Union[Path, Refusal, None]]


def wrong_hash(source: Source, origin: str, sha256: str) -> Refusal:
    """Return the refusal of a file with other content."""
    again = f"pin it with `{source.lock}`" if source.lock else "correct its pin"
    return Refusal(
        f"{origin} has another file under this name, sha256 {sha256}",
        f"do not use that file; if it was replaced on purpose, {again}",
    )


def wrong_tree(origin: str, sha256: str) -> Refusal:
    """Return the refusal of an archive of something else."""
    return Refusal(
        f"{origin} has another tree in it, {sri(sha256)}",
        "bring that of the pinned tag or commit; if it was moved on purpose, correct its pin",
    )


def no_space(where: str) -> Refusal:
    """Return the refusal of a full disk."""
    return Refusal(
        f"no space left on the disk of {where}",
        MORE_SPACE,
    )


def unreachable(host: str, why: str) -> Refusal:
    """Return the refusal of a host that does not answer."""
    return Refusal(
        f"{host} cannot be reached ({why})",
        "check the network and its proxy settings, or run `kernel-builder prefetch` on a machine "
        "that reaches it and bring the sources here with `nix copy`",
    )
