"""Lists in messages: their first elements, and words that are not in a list."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from typing import Final

from kernel_builder.messages.errors import Problem

# The number of existing names that are listed.
NAMES_SHOWN: Final = 12


def shorten(names: Sequence[str], shown: int) -> list[str]:
    """Return the first names, and the number of the others as the last item."""
    rest = len(names) - shown
    return [*names[:shown], *([f"and {rest} more"] if rest > 0 else [])]


def find_unknown(option: str, asked: Iterable[str], known: Sequence[str]) -> list[Problem]:
    """Return a problem for each word of an option that names nothing, with the nearest name."""
    problems = []
    for name in asked:
        if name not in known:
            near = difflib.get_close_matches(name.lower(), known, n=3)
            shown = shorten([f'"{each}"' for each in near or known], NAMES_SHOWN)
            rest = f" (of {len(known)})" if near and len(known) > len(near) else ""
            want = f"one of {', '.join(shown)}{rest}" if known else "nothing"
            fix = f'did you mean "{near[0]}"?' if near else "choose one that there is"
            problems.append(Problem(option, f'"{name}"', want, fix))
    return problems
