"""The report of a build: its steps with times, memory and sizes, as data and as one page."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from html import escape
from pathlib import Path
from typing import Any, Final

from kernel_builder import nix
from kernel_builder.machine.files import replace_text
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.nix.derivations import Derivation, list_closure, parse_graph
from kernel_builder.nix.log import Span, short_name
from kernel_builder.variants.build import BuildResult
from kernel_builder.variants.costs import Costs
from kernel_builder.variants.sizes import measure_size

PAGE: Final = Path(__file__).parent / "page"
# The kind of a step by the end of its name.
KINDS: Final = {
    ".host.o": "host",
    ".fatbin.o": "gather",
    ".o": "compile",
    "-extension": "link",
    "-check": "check",
}


def write_report(data: Mapping[str, Any], file: Path) -> None:
    """Write a report: as JSON if the file's name ends so, else as a page that needs no other file.

    Raises KernelBuilderError if the file cannot be written.
    """
    text = json.dumps(data, indent=2) if file.suffix == ".json" else render_page(data)
    try:
        replace_text(file, text)
    except OSError as error:
        found = error.strerror or str(error)
        problem = Problem(str(file), found, "a file that can be written", "name another one")
        raise KernelBuilderError("the report cannot be written", [problem]) from None


def render_page(data: Mapping[str, Any]) -> str:
    """Return the page that shows a report."""
    # No text of the data can end the element that it is in.
    text = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    page = (PAGE / "page.html").read_text(encoding="utf-8")
    for name in ("page.css", "page.js"):
        page = page.replace(f"@{name}@", (PAGE / name).read_text(encoding="utf-8"))
    title = escape(f"{data['name']}: build report")
    return page.replace("@title@", title).replace("@data@", text)


def collect_report(result: BuildResult) -> dict[str, Any]:
    """Return the data of a report, which docs/build-report.md describes.

    Seconds count from the start of the command. Sizes are in bytes, memory is in units of 2^20.
    """
    run, graph = result.run, {}
    if result.derivations:
        shown = nix.show_derivations([*result.derivations.values()], recursive=True)
        graph = parse_graph(shown)
    makers = {out: path for path, each in graph.items() for out in each.outputs.values()}
    spans = {makers.get(path, path): span for path, span in run.spans.items()}
    absent = nix.find_invalid(sorted(makers))
    costs, places = Costs(), dict[str, int]()
    steps: list[dict[str, Any]] = []
    for path, derivation in graph.items():
        if path in spans or _is_of_unit(derivation):
            places[path] = len(steps)
            is_fetched = path in spans and path not in run.spans
            step = _describe_step(derivation, spans.get(path), is_fetched, absent, costs)
            for key in step.keys() & {"start", "stop"}:
                step[key] = round(step[key] - result.started, 2)
            steps.append(step)
    _add_headers(graph, places, steps)
    variants = [row.as_data() for row in result.rows]
    for row in variants:
        closure = list_closure(graph, result.derivations[row["variant"]]) if row["out"] else set()
        row["steps"] = sorted(places[path] for path in closure if path in places)
        libraries = Path(row["out"]).glob("*.so") if row["out"] else ()
        row["library"] = sum(map(measure_size, libraries)) or None
    memory = run.room.memory if run.room else None
    return {
        "name": result.manifest["name"],
        "system": result.manifest["system"],
        "date": datetime.now().astimezone().isoformat(timespec="seconds"),
        "seconds": round(result.seconds, 2),
        "before": {phase: round(taken, 2) for phase, taken in run.seconds_before.items()},
        "cores": run.room.cores if run.room else None,
        "memory": memory // 2**20 if memory else None,
        "jobs": [wave.jobs for wave in run.waves],
        "derivations": len(graph),
        "variants": variants,
        "steps": steps,
    }


def _is_of_unit(derivation: Derivation) -> bool:
    return derivation.is_unit or derivation.gathers


def _describe_step(
    derivation: Derivation, span: Span | None, is_fetched: bool, absent: set[str], costs: Costs
) -> dict[str, Any]:
    name, out = short_name(derivation.path), derivation.outputs.get("out", "")
    unit = derivation.environment.get("source") if _is_of_unit(derivation) else None
    _stem, dot, target = name.rpartition(".sm_")
    kind = next((kind for end, kind in KINDS.items() if name.endswith(end)), "other")
    kind = "device" if dot else "fetch" if is_fetched else kind
    parts = (span.parts if span else []) or costs.list_parts(derivation.path)
    step: dict[str, Any] = {"name": name, "kind": kind, "unit": unit, "parts": parts}
    if dot:
        step["target"] = target
    if unit:
        step["size"] = None if out in absent else measure_size(Path(out))
    if not span:
        # The inputs of something that was fetched whole need not exist.
        return {**step, "state": "absent" if out in absent else "stored"}
    state = "failed" if out in absent else "fetched" if is_fetched else "built"
    stop = span.start if span.stop is None else span.stop
    return {**step, "state": state, "where": span.where, "start": span.start, "stop": stop}


def _add_headers(
    graph: Mapping[str, Derivation], places: Mapping[str, int], steps: list[dict[str, Any]]
) -> None:
    """Add to each step which of Torch's headers its compile used, as the compile has written it."""
    found = {}
    for path in places:
        report = graph[path].outputs.get("report")
        with suppress(OSError, ValueError):
            for entry in json.loads(Path(report or "/").read_bytes()):
                kept = {key: entry[key] for key in ("headers", "why", "launches") if key in entry}
                found[entry["unit"], entry["part"]] = kept
    parts = {"host": "host", "compile": "host"}
    for step in steps:
        part = parts.get(step["kind"], f"sm_{step.get('target')}")
        step.update(found.get((step["unit"], part), {}))
