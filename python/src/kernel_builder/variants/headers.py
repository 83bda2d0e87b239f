"""Which of Torch's headers served, as the compiles of CUDA units report it: lean ones or all."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path


def describe_headers(reports: Iterable[str]) -> str:
    """Return a few words on the reports that are in the store; none if they have nothing to tell.

    A report lies beside the object that it is about: a variant that was fetched whole has none.
    """
    lean: dict[str, None] = {}
    full: dict[str, list[str]] = {}
    for report in reports:
        if not Path(report).is_file():
            continue
        for entry in json.loads(Path(report).read_text()):
            unit, part = entry["unit"], entry["part"]
            if entry["headers"] == "lean":
                lean[unit] = None
            elif entry["headers"] == "full" and part != "host":
                full.setdefault(unit, []).append(part)
    words = []
    if lean:
        words.append(f"lean headers: {', '.join(lean)}")
    if full:
        units = (f"{unit} ({', '.join(parts)})" for unit, parts in full.items())
        words.append(f"full headers: {', '.join(units)}")
    return "; ".join(words)
