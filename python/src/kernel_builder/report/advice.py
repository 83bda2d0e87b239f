"""What to do about a build, where its figures say so; each rule takes the data of a report."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

Data = Mapping[str, Any]
NAMED: Final = 3
# A share of the whole, and seconds, from which a step is worth a word.
MUCH: Final = 0.4
LONG: Final = 10


def advise(data: Data) -> list[str]:
    """Return sentences, the weightiest first."""
    return [text for rule in RULES for text in rule(data)]


def _memory_keeps_cores_idle(data: Data) -> Iterator[str]:
    cores, jobs = data["cores"], min(data["jobs"], default=0)
    if not data["memory"] or not jobs or jobs >= cores:
        return
    largest = max(_built(data), key=_megabytes, default=None)
    who = f": {_label(largest)} takes {_gigabytes(_megabytes(largest))} GB" if largest else ""
    yield (
        f"Only {jobs} of {cores} cores compiled at once, as {_gigabytes(data['memory'])} GB of "
        f"memory carry no more{who}. With {_gigabytes(data['memory'] * cores / jobs)} GB free, all "
        "of them would."
    )


def _one_step_is_all(data: Data) -> Iterator[str]:
    steps = [each for each in _built(data) if each["unit"]]
    longest = max(steps, key=_seconds, default=None)
    if not longest or _seconds(longest) < max(LONG, MUCH * data["seconds"]):
        return
    # On its own while other cores had nothing left to do.
    if _seconds(longest) * data["cores"] > 1.25 * sum(map(_seconds, steps)):
        yield (
            f"{_label(longest)} took {_seconds(longest):.0f} s of {data['seconds']:.0f} s, and no "
            "build is faster than its longest step. In two files it would be compiled on two cores."
        )


def _full_headers(data: Data) -> Iterator[str]:
    why: dict[str, dict[str, None]] = {}
    for step in data["steps"]:
        if step.get("headers") == "full" and (step["kind"] == "device" or "why" in step):
            reason = step.get("why") or "they do not compile with lean ones"
            why.setdefault(reason, {})[step["unit"]] = None
    for reason, units in why.items():
        yield (
            f"{_count(units, 'unit')} read all of Torch's headers, because {reason}: "
            f"{_name(units)}. With lean ones, a compile takes a fraction of the time."
        )


def _compiled_whole(data: Data) -> Iterator[str]:
    units: dict[str, dict[str, None]] = {}
    for step in data["steps"]:
        if "whole" in step:
            units.setdefault(step["whole"], {})[step["unit"]] = None
    for why, names in units.items():
        yield (
            f"{_count(names, 'unit')} with device code cannot be taken apart by targets, because "
            f"of {why}: {_name(names)}."
        )


def _one_unit_is_the_library(data: Data) -> Iterator[str]:
    largest: dict[str, float] = {}
    for variant in data["variants"]:
        sizes: dict[str, int] = {}
        for step in (data["steps"][number] for number in variant["steps"]):
            if step["unit"] and step["kind"] != "device":
                sizes[step["unit"]] = sizes.get(step["unit"], 0) + (step["size"] or 0)
        unit = max(sizes, key=lambda each: sizes[each], default="")
        if len(sizes) > 2 and sum(sizes.values()) > 10**7:
            share = sizes[unit] / sum(sizes.values())
            largest[unit] = max(share, largest.get(unit, 0))
    for unit, share in largest.items():
        if share > MUCH:
            yield f"{unit} is {share:.0%} of its library: its templates are the place to save."


RULES: Final[Sequence[Callable[[Data], Iterator[str]]]] = (
    _one_step_is_all,
    _memory_keeps_cores_idle,
    _full_headers,
    _compiled_whole,
    _one_unit_is_the_library,
)


def _built(data: Data) -> list[Mapping[str, Any]]:
    return [each for each in data["steps"] if each["state"] == "built"]


def _seconds(step: Mapping[str, Any]) -> float:
    return float(step["stop"] - step["start"])


def _megabytes(step: Mapping[str, Any]) -> int:
    return max((int(part[2]) for part in step["parts"]), default=0)


def _gigabytes(megabytes: float) -> str:
    return f"{megabytes * 2**20 / 10**9:.1f}"


def _label(step: Mapping[str, Any]) -> str:
    target = f" for sm_{step['target']}" if "target" in step else ""
    return f"{step['unit'] or step['name']}{target}"


def _count(units: Mapping[str, None], noun: str) -> str:
    return f"1 {noun}" if len(units) == 1 else f"{len(units)} {noun}s"


def _name(units: Mapping[str, None]) -> str:
    names = list(units)
    rest = len(names) - NAMED
    return ", ".join(names[:NAMED]) + (f" and {rest} more" if rest > 0 else "")
