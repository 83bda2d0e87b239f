"""The ratios of a run as one picture: a line for each case, a dot for each other way."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterator, Mapping
from html import escape

from bench.report import Cell, cells_of
from bench.samples import Samples
from bench.ways import CCACHE, CMAKE, EXTENSION, IMPORTED, OURS, SCCACHE

COMPILER = "the compiler alone"
# Colours that people who cannot tell red from green can tell apart.
COLOURS = {
    CMAKE: "#0072b2",
    IMPORTED: "#56b4e9",
    EXTENSION: "#d55e00",
    CCACHE: "#009e73",
    SCCACHE: "#cc79a7",
    COMPILER: "#555555",
}
# In pixels.
LEFT, WIDTH, RIGHT, TOP, ROW = 570, 450, 30, 84, 22
Place = Callable[[float], float]


def draw(samples: Samples) -> str:
    """Return an SVG of all cases: our time in parts of that of each other way."""
    cells = cells_of(samples.samples)
    cases = [cell.case for cell in cells]
    cells.sort(key=lambda cell: cases.index(cell.case))
    rows = [(cell, ratios) for cell in cells if (ratios := _ratios(cell))]
    logs = [math.log2(ratio) for _, ratios in rows for ratio in ratios.values()]
    low, high = math.floor(min([*logs, -1])), math.ceil(max([*logs, 1]))

    def place(ratio: float) -> float:
        return LEFT + WIDTH * (math.log2(ratio) - low) / (high - low)

    lines = [*_frame(len(rows)), *_ticks(range(low, high + 1), place, len(rows))]
    for index, (cell, ratios) in enumerate(rows):
        lines += _row(cell, ratios, TOP + ROW * (index + 0.5), place)
    return "\n".join([*lines, "</svg>", ""])


def _ratios(cell: Cell) -> dict[str, float]:
    """Return the median ratio to each other way."""
    found = {way: cell.ratios(way, lambda cost: cost.seconds) for way in cell.costs if way != OURS}
    return {
        way if way in COLOURS else COMPILER: statistics.median(ratios)
        for way, ratios in found.items()
        if ratios
    }


def _frame(rows: int) -> Iterator[str]:
    """Yield the beginning: the size, the title and what the colours mean."""
    width, height = LEFT + WIDTH + RIGHT, TOP + ROW * rows + 40
    title = "The time of kernel-builder in parts of that of other ways"
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        'aria-labelledby="title" font-family="system-ui, sans-serif" font-size="13" fill="#123">'
    )
    yield f'<title id="title">{title}</title>'
    yield f'<rect width="{width}" height="{height}" rx="10" fill="#fff" />'
    yield f'<text x="20" y="26" font-size="15">{title} (left of 1: faster)</text>'
    x = 26
    for way, colour in COLOURS.items():
        yield f'<circle cx="{x}" cy="50" r="5" fill="{colour}" />'
        yield f'<text x="{x + 10}" y="55">{way}</text>'
        x += 60 + 7 * len(way)


def _ticks(powers: range, place: Place, rows: int) -> Iterator[str]:
    bottom = TOP + ROW * rows
    for ratio in (2.0**power for power in powers):
        x, colour = place(ratio), "#667" if ratio == 1 else "#dde"
        yield f'<path d="M{x:.0f} {TOP}V{bottom}" stroke="{colour}" />'
        yield f'<text x="{x:.0f}" y="{bottom + 20}" text-anchor="middle">{ratio:.2g}</text>'


def _row(cell: Cell, ratios: Mapping[str, float], y: float, place: Place) -> Iterator[str]:
    name = escape(f"{cell.case}: {cell.subject}")
    yield f'<text x="{LEFT - 16}" y="{y + 4:.0f}" text-anchor="end">{name}</text>'
    for way, ratio in ratios.items():
        circle = f'<circle cx="{place(ratio):.1f}" cy="{y:.0f}" r="5" fill="{COLOURS[way]}">'
        yield f"{circle}<title>{way}: {ratio:.2f}</title></circle>"
