"""Puts tables into pages of Markdown.

A page has a table between `<!-- table NAME: … -->` and `<!-- end of table -->`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

MARKED = re.compile(
    r"(<!-- table (?P<name>[\w-]+):[^>]*-->\n\n).*?(\n\n<!-- end of table -->)",
    re.DOTALL,
)


def fill(text: str, tables: Mapping[str, str]) -> str:
    """Return a page with its tables as they are now."""
    return MARKED.sub(
        lambda found: f"{found[1]}{tables[found['name']]}{found[3]}", text
    )


def format_table(head: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    """Return a Markdown table. A bar in a cell would end it."""
    lines = [[str(cell).replace("|", r"\|") for cell in line] for line in (head, *rows)]
    first, *rest = (f"| {' | '.join(line)} |" for line in lines)
    return "\n".join([first, "|---" * len(head) + "|", *rest])
