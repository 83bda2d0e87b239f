"""Reasons why a source was not fetched."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Union

from kernel_builder.nix.errors import MORE_SPACE, is_full
from kernel_builder.sources.coordinates import Source

# How pip and apt begin the lines that say what went wrong. In a folder that its downloader cannot
# enter, apt goes on as root, and says so.
_COMPLAINT: Final = re.compile(r"(?:ERROR|WARNING|E|W): (?!Download is performed unsandboxed)")


@dataclass(frozen=True)
class Refusal:
    """The reason why one way to a source failed, and how the user can help."""

    found: str
    fix: str


# How each source ended: the file that has arrived, a refusal, or None if the store has it.
Outcomes = Mapping[Source, Union[Path, Refusal, None]]


def quote_complaints(program: str, output: str) -> list[str]:
    """Return the first and the last two complaints of pip or apt, as lines of a message."""
    complaints = [line.strip() for line in output.splitlines() if _COMPLAINT.match(line)]
    shown = dict.fromkeys([*complaints[:1], *complaints[-2:]])
    return [f"{program} says: {line}" for line in shown]


def refuse(output: str, found: str, fix: str) -> Refusal:
    """Return a refusal; where the output of the program says that a disk is full, that is it."""
    return (
        Refusal("no space left on a disk", MORE_SPACE) if is_full(output) else Refusal(found, fix)
    )
