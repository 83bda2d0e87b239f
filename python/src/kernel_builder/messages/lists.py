"""Shorten lists for messages."""

from __future__ import annotations

from collections.abc import Sequence


def shorten(names: Sequence[str], shown: int) -> list[str]:
    """Return the first names, and the number of the others as the last item."""
    rest = len(names) - shown
    return [*names[:shown], *([f"and {rest} more"] if rest > 0 else [])]
