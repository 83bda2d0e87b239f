"""Lists that stay readable, however long."""

from __future__ import annotations

from collections.abc import Sequence


def shorten(names: Sequence[str], shown: int) -> list[str]:
    """Return the first names, and as the last item how many more there are."""
    rest = len(names) - shown
    return [*names[:shown], *([f"and {rest} more"] if rest > 0 else [])]
