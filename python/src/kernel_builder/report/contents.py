"""The data of a report: each step of the chosen variants that has something to tell."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from kernel_builder import nix
from kernel_builder.nix.derivations import Derivation, list_closure, parse_graph
from kernel_builder.nix.log import Span, short_name
from kernel_builder.report.advice import advise
from kernel_builder.report.sizes import measure, measure_library
from kernel_builder.variants.build import Report
from kernel_builder.variants.costs import Costs
from kernel_builder.variants.table import as_data

# Of a step's name: its ending, and what kind of step that is.
KINDS: Final = {
    ".host.o": "host",
    ".fatbin.o": "gather",
    ".o": "compile",
    "-extension": "link",
    "-check": "check",
}


def describe(report: Report) -> dict[str, Any]:
    """Return a build as data: what docs/build-report.md says.

    Seconds are counted from the start of the command; sizes are in bytes, memory in megabytes.
    """
    run = report.run
    asked = list(report.derivations.values())
    graph = parse_graph(nix.show_derivations(asked, recursive=True)) if asked else {}
    spans = _by_derivation(graph, run.spans)
    outputs = {path for each in graph.values() for path in each.outputs.values()}
    absent = nix.find_invalid(sorted(outputs))
    costs, headers = Costs(), _read_headers(graph, absent)
    shown = [each for each in graph.values() if each.path in spans or _is_of_unit(each)]
    whole = _read_whole(report.manifest["variants"])
    steps = [
        _describe_step(each, spans.get(each.path), absent, costs, report.started, headers)
        for each in shown
    ]
    for step in steps:
        if step["kind"] == "compile" and step["unit"] in whole:
            step["whole"] = whole[step["unit"]]
    place = {each.path: number for number, each in enumerate(shown)}
    variants = as_data(report.rows)
    for variant in variants:
        derivation = report.derivations.get(variant["variant"])
        closure = list_closure(graph, derivation) if derivation else set()
        variant["steps"] = sorted(place[each] for each in closure if each in place)
        variant["library"] = measure_library(variant["out"])
    data = {
        "name": report.manifest["name"],
        "system": report.manifest["system"],
        "date": datetime.now().astimezone().isoformat(timespec="seconds"),
        "seconds": round(report.seconds, 2),
        "before": {name: round(seconds, 2) for name, seconds in run.before.items()},
        "cores": run.room.cores if run.room else None,
        "memory": run.room.memory // 2**20 if run.room and run.room.memory else None,
        "jobs": [wave.jobs for wave in run.waves],
        "derivations": len(graph),
        "variants": variants,
        "steps": steps,
    }
    return {**data, "advice": advise(data)}


def _by_derivation(
    graph: Mapping[str, Derivation], spans: Mapping[str, Span]
) -> dict[str, tuple[str, Span]]:
    """Return what was built, and what was fetched in its place, each by its derivation."""
    makers = {out: path for path, each in graph.items() for out in each.outputs.values()}
    return {
        makers.get(path, path): ("built" if path in graph else "fetched", span)
        for path, span in spans.items()
    }


def _is_of_unit(derivation: Derivation) -> bool:
    """Say whether it is told of even if nothing became of it in this build."""
    return derivation.is_unit or derivation.gathers


def _describe_step(
    derivation: Derivation,
    told: tuple[str, Span] | None,
    absent: set[str],
    costs: Costs,
    started: float,
    headers: Mapping[tuple[str, str], Mapping[str, str]],
) -> dict[str, Any]:
    name = short_name(derivation.path)
    unit = derivation.environment.get("source") if _is_of_unit(derivation) else None
    _stem, dot, target = name.rpartition(".sm_")
    kind = "device" if dot else _kind_of(name, told)
    out = derivation.outputs.get("out", "")
    step: dict[str, Any] = {"name": name, "kind": kind, "unit": unit}
    if dot:
        step["target"] = target
    parts = costs.parts_of(derivation.path)
    if told:
        state, span = told
        stop = span.stop if span.stop is not None else span.start
        step["start"], step["stop"] = (round(each - started, 2) for each in (span.start, stop))
        step["where"], parts = span.where, span.parts or parts
        step["state"] = "failed" if out in absent else state
    else:
        # What went into something that was fetched as a whole need not be there.
        step["state"] = "absent" if out in absent else "stored"
    step["parts"] = parts
    if unit:
        step["size"] = measure(Path(out)) if out not in absent else None
        part = {"host": "host", "compile": "host"}.get(kind, f"sm_{target}")
        step.update(headers.get((unit, part), {}))
    return step


def _kind_of(name: str, told: tuple[str, Span] | None) -> str:
    if told and told[0] == "fetched":
        return "fetch"
    return next((kind for ending, kind in KINDS.items() if name.endswith(ending)), "other")


def _read_whole(variants: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return the options that keep units whole, by unit."""
    return {entry["unit"]: entry["why"] for each in variants for entry in each.get("whole", ())}


def _read_headers(
    graph: Mapping[str, Derivation], absent: set[str]
) -> dict[tuple[str, str], Mapping[str, str]]:
    """Return which of Torch's headers served, by unit and part, as the compiles report it."""
    found: dict[tuple[str, str], Mapping[str, str]] = {}
    for derivation in graph.values():
        report = derivation.outputs.get("report")
        if report and report not in absent:
            with suppress(OSError, ValueError):
                for entry in json.loads(Path(report).read_bytes()):
                    kept = {
                        key: entry[key] for key in ("headers", "why", "launches") if key in entry
                    }
                    found[entry["unit"], entry["part"]] = kept
    return found
