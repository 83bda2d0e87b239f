"""Notes of the closing table: units whose compile differs from what their author may expect."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from kernel_builder.messages.lists import shorten

UNITS_SHOWN: Final = 3


def describe_whole_units(entries: Iterable[Mapping[str, str]]) -> str:
    """Return the units that are compiled for all targets at once, by the option that causes it."""
    units: dict[str, list[str]] = {}
    for entry in entries:
        units.setdefault(entry["why"], []).append(entry["unit"])
    notes = [f"{', '.join(shorten(names, UNITS_SHOWN))}: {why}" for why, names in units.items()]
    return f"compiled whole: {'; '.join(notes)}" if notes else ""


def describe_fallbacks(reports: Iterable[str]) -> str:
    """Return the units that needed Torch's full headers, and launches without device code.

    `reports` are files that compiles write beside their objects. The objects of a variant that
    was fetched whole need not be in the store, so files that are missing are ignored.
    """
    full: dict[str, list[str]] = {}
    launches: list[str] = []
    entries: list[dict[str, Any]] = []
    for report in map(Path, reports):
        entries += json.loads(report.read_text(encoding="utf-8")) if report.is_file() else []
    for entry in entries:
        unit, part = entry["unit"], entry["part"]
        if "launches" in entry:
            launches.append(f"{unit} ({', '.join(entry['launches'])})")
        if entry["headers"] == "full" and part != "host":
            reason = f": {entry['why']}" if "why" in entry else ""
            full.setdefault(unit, []).append(f"{part}{reason}")
    units = [f"{unit} ({', '.join(parts)})" for unit, parts in full.items()]
    notes = {"full headers": units, "launches without device code": launches}
    return "; ".join(
        f"{title}: {', '.join(shorten(items, UNITS_SHOWN))}"
        for title, items in notes.items()
        if items
    )
