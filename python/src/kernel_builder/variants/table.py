"""The outcome of each variant of a build, as data and as the closing table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any, Final, TextIO

from kernel_builder.messages.errors import Problem
from kernel_builder.messages.lists import shorten
from kernel_builder.messages.terminal import clean
from kernel_builder.variants.sizes import format_size

if TYPE_CHECKING:
    # A build with nothing to do starts faster without them.
    from kernel_builder.machine.limits import Room
    from kernel_builder.nix.log import Span
    from kernel_builder.variants.schedule import Wave


class State(str, Enum):
    """The outcome of a variant."""

    BUILT = "built"
    FETCHED = "fetched"
    CACHED = "cached"
    LEFT_OUT = "left out"
    FAILED = "failed"
    TO_BUILD = "to build"
    TO_FETCH = "to fetch"


AVAILABLE: Final = (State.BUILT, State.FETCHED, State.CACHED)
# The place of a step that was built on this machine.
HERE: Final = "here"
NAMES_SHOWN: Final = 3
# A reason of several variants that has more letters stands below the table, once.
LONG: Final = 40
# A terminal with fewer columns wraps the lines itself: no name is cut off.
NARROW: Final = 80
COLOURS: Final = {State.LEFT_OUT: "yellow", State.FAILED: "red"} | dict.fromkeys(AVAILABLE, "green")


@dataclass
class Run:
    """The outcome of building some derivations.

    `states` has the state of each derivation with its reason. `seconds_before` has the seconds of
    each phase before the build. `spans` has the times of everything that was built or fetched.
    `built` counts the steps by machine, `fetched` the paths by cache. `room` and `waves` are the
    schedule.
    """

    states: dict[str, tuple[State, str]] = field(default_factory=dict)
    left_out: list[Problem] = field(default_factory=list)
    failures: list[Problem] = field(default_factory=list)
    seconds_before: dict[str, float] = field(default_factory=dict)
    spans: dict[str, Span] = field(default_factory=dict)
    room: Room | None = None
    waves: list[Wave] = field(default_factory=list)
    built: Counter[str] = field(default_factory=Counter)
    fetched: Counter[str] = field(default_factory=Counter)

    def describe_places(self) -> str:
        """Return which machines built and which caches gave; empty if it was this machine alone."""
        lines = []
        if set(self.built) - {HERE}:
            places = (f"{n} {at if at == HERE else f'on {at}'}" for at, n in self.built.items())
            lines.append(f"steps built: {', '.join(places)}")
        if self.fetched:
            places = (f"{count} from {cache}" for cache, count in self.fetched.items())
            lines.append(f"paths fetched: {', '.join(places)}")
        return "; ".join(lines)


@dataclass(frozen=True)
class Row:
    """The outcome of one variant; `size` is in bytes, `unchecked` why it was not imported."""

    variant: str
    backend: str
    state: State
    why: str = ""
    out: str | None = None
    size: int | None = None
    unchecked: str = ""

    def as_data(self) -> dict[str, Any]:
        """Return the row as it goes into JSON."""
        return {**asdict(self), "state": self.state.value}


def format_table(rows: Sequence[Row], stream: TextIO) -> str:
    """Return the table as text, in colours and as wide as `stream` if that is a terminal."""
    from rich.console import Console
    from rich.table import Column, Table
    from rich.text import Text

    counts = Counter(row.why for row in rows)
    shared = [why for why, count in counts.items() if count > 1 and len(why) > LONG]
    marks = {why: f"[{number}]" for number, why in enumerate(shared, 1)}
    sizes = ["" if row.size is None else format_size(row.size) for row in rows]
    columns = [Column("variant", no_wrap=True), Column("state", no_wrap=True)]
    # A build that makes nothing has no sizes.
    columns += [Column("size", justify="right", no_wrap=True)] if any(sizes) else []
    table = Table(
        *columns, Column("why", overflow="fold"), box=None, pad_edge=False, header_style=""
    )
    for row, size in zip(rows, sizes):
        state = Text(row.state.value, COLOURS.get(row.state, "yellow"))
        why = Text(clean(marks.get(row.why, row.why)))
        table.add_row(row.variant, state, *([size] if any(sizes) else []), why)
    console = Console(file=stream, highlight=False)
    if not stream.isatty() or console.width < NARROW:
        console.width = 10_000
    with console.capture() as captured:
        console.print(table)
    lines = [line.rstrip() for line in captured.get().splitlines()]
    lines += [f"{mark} {why}" for why, mark in marks.items()]
    for reason in dict.fromkeys(row.unchecked for row in rows if row.unchecked):
        names = shorten([row.variant for row in rows if row.unchecked == reason], NAMES_SHOWN)
        lines.append(f"no import check of {', '.join(names)}: {reason}")
    return clean("\n".join(lines)) if rows else ""
