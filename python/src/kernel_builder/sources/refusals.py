"""Why one way to get a source did not work."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from kernel_builder.sources.coordinates import Deb, Source, Wheel, sri

LOCK: Final = "python/bin/lock-pins"
LOCK_DEBS: Final = f"{LOCK} pkgs/sources/debs/pins.json"
LOCK_WHEELS: Final = f"{LOCK} pkgs/python/python-packages/pins.json"


class Reason(Enum):
    """Kinds of refusal, for code that has to decide something."""

    WRONG_HASH = "wrong hash"
    GONE = "gone"
    NO_TOOL = "no tool"
    NO_SPACE = "no space"
    UNREACHABLE = "unreachable"
    OTHER = "other"


@dataclass(frozen=True)
class Refusal:
    """What was found instead of the file, and the way out."""

    reason: Reason
    found: str
    fix: str


def lock(source: Source) -> str:
    """Return the command that pins a source anew."""
    if isinstance(source, Deb):
        return LOCK_DEBS
    return LOCK_WHEELS if isinstance(source, Wheel) else LOCK


def wrong_hash(origin: str, sha256: str, command: str | None = None) -> Refusal:
    """Return the refusal of a file with other content, and what pins it if it can be replaced."""
    again = f"pin it with `{command}`" if command else "correct its pin"
    return Refusal(
        Reason.WRONG_HASH,
        f"{origin} has another file under this name, sha256 {sha256}",
        f"do not use that file; if it was replaced on purpose, {again}",
    )


def wrong_tree(origin: str, sha256: str) -> Refusal:
    """Return the refusal of an archive of something else."""
    return Refusal(
        Reason.WRONG_HASH,
        f"{origin} has another tree in it, {sri(sha256)}",
        "bring that of the pinned tag or commit; if it was moved on purpose, correct its pin",
    )


def no_space(where: str) -> Refusal:
    """Return the refusal of a full disk."""
    return Refusal(
        Reason.NO_SPACE,
        f"no space left on the disk of {where}",
        "free some space (TMPDIR moves the temporary files) and run this again; "
        "what has arrived is kept",
    )


def unreachable(host: str, why: str) -> Refusal:
    """Return the refusal of a host that does not answer."""
    return Refusal(
        Reason.UNREACHABLE,
        f"{host} cannot be reached ({why})",
        "check the network and its proxy settings, or run `kernel-builder prefetch` on a machine "
        "that reaches it and bring the sources here with `nix copy`",
    )


def offline() -> Refusal:
    """Return the refusal of a run that may not use the network."""
    return Refusal(
        Reason.UNREACHABLE, "it is not in the store, and --offline is given", "leave --offline out"
    )
