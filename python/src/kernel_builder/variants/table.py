"""What became of each variant: the closing table of a build, and the same as data."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TextIO

from kernel_builder.messages.errors import Problem
from kernel_builder.messages.lists import shorten
from kernel_builder.messages.terminal import clean, paint
from kernel_builder.variants.sizes import format_size, measure

if TYPE_CHECKING:
    # A build with nothing to do would load them for nothing.
    from kernel_builder.machine.limits import Room
    from kernel_builder.nix.log import Span
    from kernel_builder.variants.schedule import Wave


class State(str, Enum):
    """How a variant ended."""

    BUILT = "built"
    FETCHED = "fetched"
    CACHED = "cached"
    LEFT_OUT = "left out"
    FAILED = "failed"
    TO_BUILD = "to build"
    TO_FETCH = "to fetch"


# The place of what is built on this machine.
HERE: Final = "here"
# A kernel may have hundreds; the report has them all.
UNITS_SHOWN: Final = 3
NAMES_SHOWN: Final = 3
# Letters of a reason that is written once below the table if several rows have it.
LONG: Final = 40


def _share(word: str, counts: Counter[str]) -> str:
    places = ((n, place if place == HERE else f"{word} {place}") for place, n in counts.items())
    return ", ".join(f"{n} {place}" for n, place in places)


@dataclass
class Made:
    """How derivations ended, each with a reason if there is one, and the problems behind it.

    Of what was built or fetched just now, `spans` has when; `room` and `waves` say in what order.
    `before` has the seconds of what comes before that.
    """

    ends: dict[str, tuple[State, str]] = field(default_factory=dict)
    left_out: list[Problem] = field(default_factory=list)
    failures: list[Problem] = field(default_factory=list)
    before: dict[str, float] = field(default_factory=dict)
    spans: dict[str, Span] = field(default_factory=dict)
    room: Room | None = None
    waves: list[Wave] = field(default_factory=list)
    # How many steps were built where, and how many paths came from which cache.
    built: Counter[str] = field(default_factory=Counter)
    fetched: Counter[str] = field(default_factory=Counter)

    def describe(self) -> str:
        """Return who did the work, if that was not this machine alone."""
        lines = []
        if set(self.built) - {HERE}:
            lines.append(f"steps built: {_share('on', self.built)}")
        if self.fetched:
            lines.append(f"paths fetched: {_share('from', self.fetched)}")
        return "; ".join(lines)


@dataclass(frozen=True)
class Row:
    """One variant's end."""

    variant: str
    backend: str
    state: State
    why: str = ""
    out: str | None = None
    size: int | None = None
    # Why it was not imported, if it was not.
    unchecked: str = ""


COLOURS: Final = {
    State.BUILT: "green",
    State.FETCHED: "green",
    State.CACHED: "green",
    State.LEFT_OUT: "yellow",
    State.FAILED: "red",
    State.TO_BUILD: "yellow",
    State.TO_FETCH: "yellow",
}


def format_table(rows: Sequence[Row], stream: TextIO) -> str:
    """Return the table, in colours where the stream takes them."""
    if not rows:
        return ""
    heads = ("variant", "state", "size", "why")
    sizes = ["" if row.size is None else format_size(row.size) for row in rows]
    shared = _share_reasons(rows)
    cells = [
        (row.variant, row.state.value, size, shared.get(row.why, row.why))
        for row, size in zip(rows, sizes)
    ]
    # Where nothing is built there is no size to tell.
    columns = [i for i, head in enumerate(heads) if head != "size" or any(sizes)]
    widths = [max(len(line[i]) for line in [heads, *cells]) for i in range(len(heads))]
    lines = ["  ".join(f"{heads[i]:<{widths[i]}}" for i in columns).rstrip()]
    for row, line in zip(rows, cells):
        padded = [f"{text:<{width}}" for text, width in zip(line, widths)]
        padded[1] = paint(padded[1], COLOURS[row.state], stream)
        padded[2] = f"{line[2]:>{widths[2]}}"
        lines.append("  ".join(padded[i] for i in columns).rstrip())
    lines += [f"{mark} {why}" for why, mark in shared.items()]
    unchecked: dict[str, list[str]] = {}
    for row in rows:
        unchecked.setdefault(row.unchecked, []).append(row.variant)
    unchecked.pop("", None)
    for why, names in unchecked.items():
        lines.append(f"no import check of {', '.join(shorten(names, NAMES_SHOWN))}: {why}")
    return clean("\n".join(lines))


def _share_reasons(rows: Iterable[Row]) -> dict[str, str]:
    """Return a mark for each long reason of several rows, which then stands below the table."""
    counts = Counter(row.why for row in rows)
    long = [why for why, count in counts.items() if count > 1 and len(why) > LONG]
    return {why: f"[{number}]" for number, why in enumerate(long, 1)}


def as_data(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return the rows as they go into JSON."""
    return [{**asdict(row), "state": row.state.value} for row in rows]


def describe_precompiled(folders: Iterable[str]) -> str:
    """Return what the precompiled headers of a variant take in the store, if they are there."""
    there = [Path(folder) for folder in folders if Path(folder).is_dir()]
    sizes = (f"{format_size(measure(path))} ({path.name.split('-', 2)[2]})" for path in there)
    return f"precompiled headers: {', '.join(sizes)}" if there else ""


def describe_whole(entries: Iterable[Mapping[str, str]]) -> str:
    """Return which units are compiled for all targets at once, and the options that cause it."""
    units: dict[str, list[str]] = {}
    for entry in entries:
        units.setdefault(entry["why"], []).append(entry["unit"])
    words = (f"{', '.join(shorten(names, UNITS_SHOWN))}: {why}" for why, names in units.items())
    return f"compiled whole: {'; '.join(words)}" if units else ""


def describe_headers(reports: Iterable[str]) -> str:
    """Return which of Torch's headers served the units for CUDA, as their compiles report it.

    A report lies beside the object that it is about: a variant that was fetched whole has none.
    """
    lean: dict[str, None] = {}
    full: dict[str, list[str]] = {}
    launches: list[str] = []
    for report in reports:
        if not Path(report).is_file():
            continue
        for entry in json.loads(Path(report).read_text()):
            unit, part = entry["unit"], entry["part"]
            if "launches" in entry:
                launches.append(f"{unit} ({', '.join(entry['launches'])})")
            if entry["headers"] == "lean":
                lean[unit] = None
            elif entry["headers"] == "full" and part != "host":
                why = f": {entry['why']}" if "why" in entry else ""
                full.setdefault(unit, []).append(f"{part}{why}")
    words = []
    if lean:
        words.append(f"lean headers: {', '.join(shorten([*lean], UNITS_SHOWN))}")
    if full:
        units = [f"{unit} ({', '.join(parts)})" for unit, parts in full.items()]
        words.append(f"full headers: {', '.join(shorten(units, UNITS_SHOWN))}")
    if launches:
        words.append(f"launches without device code: {', '.join(shorten(launches, UNITS_SHOWN))}")
    return "; ".join(words)
