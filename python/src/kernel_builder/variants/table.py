"""What became of each variant: the closing table of a build, and the same as data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import Enum
from typing import Any, Final, TextIO

from kernel_builder.messages.terminal import paint


class State(str, Enum):
    """How a variant ended."""

    BUILT = "built"
    CACHED = "cached"
    LEFT_OUT = "left out"
    FAILED = "failed"
    TO_BUILD = "to build"


@dataclass(frozen=True)
class Row:
    """One variant's end."""

    variant: str
    backend: str
    state: State
    why: str = ""
    out: str | None = None


COLOURS: Final = {
    State.BUILT: "green",
    State.CACHED: "green",
    State.LEFT_OUT: "yellow",
    State.FAILED: "red",
    State.TO_BUILD: "yellow",
}


def format_table(rows: Sequence[Row], stream: TextIO) -> str:
    """Return the table, in colours where the stream takes them."""
    if not rows:
        return ""
    heads = ("variant", "state", "why")
    first = max(len(heads[0]), *(len(row.variant) for row in rows))
    second = max(len(heads[1]), *(len(row.state.value) for row in rows))
    lines = [f"{heads[0]:<{first}}  {heads[1]:<{second}}  {heads[2]}"]
    for row in rows:
        state = paint(f"{row.state.value:<{second}}", COLOURS[row.state], stream)
        lines.append(f"{row.variant:<{first}}  {state}  {row.why}".rstrip())
    return "\n".join(lines)


def as_data(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return the rows as they go into JSON."""
    return [{**asdict(row), "state": row.state.value} for row in rows]
