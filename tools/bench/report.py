"""The measurements as Markdown: each goal with its result, then every case."""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.measuring import Cost
from bench.samples import Failure, Sample, Samples
from bench.ways import OURS

GOALS: list[dict[str, Any]] = json.loads((Path(__file__).parent / "goals.json").read_text())
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
# Lines of a failed program's output.
LINES_SHOWN = 12
Measure = Callable[[Cost], float]


@dataclass(frozen=True)
class Cell:
    """One case of an experiment: the costs of each way, by turns."""

    experiment: str
    subject: str
    case: str
    costs: dict[str, dict[int, Cost]]

    def values(self, way: str, measure: Measure) -> list[float]:
        """Return what a way cost in each turn."""
        return [measure(cost) for cost in self.costs.get(way, {}).values()]

    def ratios(self, way: str, measure: Measure) -> list[float]:
        """Return ours in parts of theirs, in each turn that has both."""
        ours, theirs = self.costs.get(OURS, {}), self.costs.get(way, {})
        return [measure(ours[turn]) / measure(theirs[turn]) for turn in ours if turn in theirs]


def cells_of(samples: Sequence[Sample]) -> list[Cell]:
    """Return the cases in the order in which they were first measured."""
    cells: dict[tuple[str, str], Cell] = {}
    for each in samples:
        new = Cell(each.experiment, each.subject, each.case, {})
        cell = cells.setdefault((each.experiment, each.case), new)
        cell.costs.setdefault(each.way, {})[each.turn] = each.cost
    return list(cells.values())


def write_report(samples: Samples) -> str:
    """Return the whole report."""
    cells = cells_of(samples.samples)
    parts = _machine(samples, cells), _goals(cells), _cases(cells), _failures(samples.failures)
    return "\n".join(line for part in parts for line in (*part, "")).rstrip("\n") + "\n"


def put_into(page: Path, report: str) -> None:
    """Write a report between the marks of a page."""
    before, rest = page.read_text().split(BEGIN)
    _, after = rest.split(END)
    page.write_text(f"{before}{BEGIN}\n\n{report}\n{END}{after}")


def _seconds(cost: Cost) -> float:
    return cost.seconds


def _core_seconds(cost: Cost) -> float:
    return cost.core_seconds


def format_number(value: float) -> str:
    """Return a number with as many digits as mean something."""
    return f"{value:.2f}" if value < 10 else f"{value:.0f}"


def _spread(values: Sequence[float]) -> str:
    """Return the median, and from where to where if there are several."""
    middle = format_number(statistics.median(values))
    if len(values) == 1:
        return middle
    return f"{middle} ({format_number(min(values))} to {format_number(max(values))})"


def _row(*columns: str) -> str:
    return f"| {' | '.join(columns)} |"


def _head(*columns: str) -> list[str]:
    return [_row(*columns), _row(*("---" for _ in columns))]


def _goals(cells: Sequence[Cell]) -> Iterator[str]:
    """Yield the table of what is to be reached."""
    yield from _head("case", "of", "against", "ours, s", "theirs, s", "ratio", "at most", "reached")
    for goal in GOALS:
        by_name = {cell.experiment: cell for cell in cells if cell.case == goal["case"]}
        cell = next((by_name[name] for name in goal["experiments"] if name in by_name), None)
        if cell:
            yield from _goal_rows(goal, cell)
        else:
            missing = ("not measured", "", "", f"{goal['time']:.2f}", "")
            yield _row(goal["case"], goal["of"], goal["against"], *missing)


def _goal_rows(goal: dict[str, Any], cell: Cell) -> Iterator[str]:
    for key, measure, name in (
        ("time", _seconds, goal["case"]),
        ("cores", _core_seconds, f"{goal['case']}: core seconds"),
    ):
        ratios = cell.ratios(goal["against"], measure)
        if key not in goal or not ratios:
            continue
        ours = cell.values(OURS, measure)
        most = f"{goal[key]:.2f}"
        reached = statistics.median(ratios) <= goal[key]
        if "seconds" in goal:
            most += f", and {goal['seconds']} s"
            reached = reached and statistics.median(ours) <= goal["seconds"]
        theirs = _spread(cell.values(goal["against"], measure))
        columns = (name, cell.subject, goal["against"], _spread(ours), theirs, _spread(ratios))
        yield _row(*columns, most, "yes" if reached else "**no**")


def _cases(cells: Sequence[Cell]) -> Iterator[str]:
    """Yield a table for each subject: every case, every way."""
    subjects = dict.fromkeys((cell.experiment, cell.subject) for cell in cells)
    for experiment, subject in subjects:
        own = [cell for cell in cells if cell.experiment == experiment]
        others = list(dict.fromkeys(way for cell in own for way in cell.costs if way != OURS))
        heads = [name for way in others for name in (f"{way}, s", "ours in parts of it")]
        yield f"### {subject}"
        yield ""
        yield from _head("case", "ours, s", "core s", "largest, MB", "built", *heads)
        for cell in own:
            columns = [cell.case, _spread(cell.values(OURS, _seconds))]
            columns.append(_spread(cell.values(OURS, _core_seconds)))
            columns.append(f"{max(cell.values(OURS, lambda cost: cost.megabytes)):.0f}")
            columns.append(f"{max(cell.values(OURS, lambda cost: cost.built)):.0f}")
            for way in others:
                theirs = cell.values(way, _seconds)
                ratios = cell.ratios(way, _seconds)
                columns += [_spread(theirs) if theirs else "", _spread(ratios) if ratios else ""]
            yield _row(*columns)
        yield ""


def _failures(failures: Sequence[Failure]) -> Iterator[str]:
    """Yield what ways said that failed; a way has no further cases of that experiment."""
    for each in failures:
        said = each.message.strip().splitlines()[-LINES_SHOWN:]
        yield f"{each.experiment}, {each.case}: {each.way} failed:"
        yield ""
        yield from ("```", *said, "```", "")


def _machine(samples: Samples, cells: Sequence[Cell]) -> Iterator[str]:
    """Yield what was measured on, and how quiet it was."""
    machine = samples.machine
    known = ("processor", "cores", "memory", "nix", "commit")
    yield "; ".join(f"{name}: {machine[name]}" for name in known) + "."
    shares = [each.cost.others / (each.cost.seconds * machine["cores"]) for each in samples.samples]
    spreads = [
        (max(values) - min(values)) / statistics.median(values)
        for cell in cells
        for way in cell.costs
        if len(values := cell.values(way, _seconds)) > 1
    ]
    yield (
        f"Load before: {', '.join(map(str, machine['load']))}. Of the cores' time, anything else "
        f"took {statistics.median(shares):.0%} (median of {len(shares)} builds; at most "
        f"{max(shares):.0%})."
    )
    if spreads:
        yield (
            f"Repetitions differ by {statistics.median(spreads):.0%} of their median (median of "
            f"{len(spreads)} cases; at most {max(spreads):.0%})."
        )
