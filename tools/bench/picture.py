"""The ratios of a run as one picture: a line for each case of rows.json, a dot for each way."""

from __future__ import annotations

import json
import math
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path

from bench.report import Cell, cells_of, format_number
from bench.samples import Samples
from bench.ways import (
    BY_HAND,
    CCACHE,
    CMAKE,
    EXTENSION,
    EXTENSION_IMPORTED,
    IMPORTED,
    OURS,
    SCCACHE,
)

COMPILER = "the compile (and import)"
# The cases that a reader of the README cares about, by the names that they have there.
ROWS: list[dict[str, str]] = json.loads((Path(__file__).parent / "rows.json").read_text())
# Colours that people who cannot tell red from green can tell apart.
COLOURS = {
    CMAKE: "#0072b2",
    IMPORTED: "#56b4e9",
    EXTENSION: "#d55e00",
    BY_HAND: "#999933",
    EXTENSION_IMPORTED: "#e69f00",
    CCACHE: "#009e73",
    SCCACHE: "#cc79a7",
    COMPILER: "#555555",
}
INK = "#123"
# In pixels.
LEFT, WIDTH, RIGHT, TOP, ROW = 320, 450, 310, 106, 22
LEGEND_COLUMNS, LEGEND_WIDTH = 4, 250
Place = Callable[[float], float]


def draw(samples: Samples) -> str:
    """Return an SVG of the chosen cases: our time in parts of that of each other way."""
    cells = {(cell.experiment, cell.case): cell for cell in cells_of(samples.samples)}
    chosen = [(row["text"], cells.get((row["experiment"], row["case"]))) for row in ROWS]
    rows = [(text, cell, ratios) for text, cell in chosen if cell and (ratios := _ratios(cell))]
    logs = [math.log2(ratio) for *_, ratios in rows for ratio in ratios.values()]
    low, high = math.floor(min([*logs, -1])), math.ceil(max([*logs, 1]))

    def place(ratio: float) -> float:
        return LEFT + WIDTH * (math.log2(ratio) - low) / (high - low)

    shown = [way for way in COLOURS if any(way in ratios for *_, ratios in rows)]
    lines = [*_frame(len(rows), shown), *_ticks(range(low, high + 1), place, len(rows))]
    for index, (text, cell, ratios) in enumerate(rows):
        y = TOP + ROW * (index + 0.5)
        lines += [*_row(text, ratios, y, place), _seconds(cell, y)]
    return "\n".join([*lines, "</svg>", ""])


def _ratios(cell: Cell) -> dict[str, float]:
    """Return the median ratio to each other way."""
    found = {way: cell.ratios(way, lambda cost: cost.seconds) for way in cell.costs if way != OURS}
    return {_shown(way): statistics.median(ratios) for way, ratios in found.items() if ratios}


def _frame(rows: int, ways: Sequence[str]) -> Iterator[str]:
    """Yield the beginning: the size, the title and what the colours mean."""
    width, height = LEFT + WIDTH + RIGHT, TOP + ROW * rows + 40
    title = "The time of kernel-builder in parts of that of other ways"
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        'aria-labelledby="title" font-family="system-ui, sans-serif" font-size="13" '
        f'fill="{INK}">'
    )
    yield f'<title id="title">{title}</title>'
    yield f'<rect width="{width}" height="{height}" rx="10" fill="#fff" />'
    yield f'<text x="20" y="26" font-size="15">{title} (left of 1: faster)</text>'
    for index, way in enumerate(ways):
        line, column = divmod(index, LEGEND_COLUMNS)
        x, y = 26 + LEGEND_WIDTH * column, 50 + ROW * line
        yield f'<circle cx="{x}" cy="{y}" r="5" fill="{COLOURS[way]}" />'
        yield f'<text x="{x + 10}" y="{y + 5}">{way}</text>'


def _ticks(powers: range, place: Place, rows: int) -> Iterator[str]:
    bottom = TOP + ROW * rows
    for ratio in (2.0**power for power in powers):
        x, colour = place(ratio), "#667" if ratio == 1 else "#dde"
        yield f'<path d="M{x:.0f} {TOP}V{bottom}" stroke="{colour}" />'
        yield f'<text x="{x:.0f}" y="{bottom + 20}" text-anchor="middle">{ratio:.2g}</text>'


def _row(text: str, ratios: Mapping[str, float], y: float, place: Place) -> Iterator[str]:
    yield f'<text x="{LEFT - 16}" y="{y + 4:.0f}" text-anchor="end">{escape(text)}</text>'
    for way, ratio in ratios.items():
        circle = f'<circle cx="{place(ratio):.1f}" cy="{y:.0f}" r="5" fill="{COLOURS[way]}">'
        yield f"{circle}<title>{way}: {ratio:.2f}</title></circle>"


def _seconds(cell: Cell, y: float) -> str:
    """Return our seconds, and those of each other way in its colour."""

    def show(way: str, colour: str) -> str:
        seconds = statistics.median(cell.values(way, lambda cost: cost.seconds))
        return f'<tspan fill="{colour}">{format_number(seconds)}</tspan>'

    theirs = {_shown(way): show(way, COLOURS[_shown(way)]) for way in cell.costs if way != OURS}
    text = f"{show(OURS, INK)} s, others {' · '.join(theirs.values())} s"
    return f'<text x="{LEFT + WIDTH + 16}" y="{y + 4:.0f}">{text}</text>'


def _shown(way: str) -> str:
    """Return the name that the legend has for another way."""
    return way if way in COLOURS else COMPILER
