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

    Raises OSError if the file cannot be written.
    """
    replace_text(file, json.dumps(data, indent=2) if file.suffix == ".json" else render_page(data))


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
    run, roots = result.run, [*result.derivations.values()]
    graph = parse_graph(nix.show_derivations(roots, recursive=True)) if roots else {}
    derivers = {out: path for path, each in graph.items() for out in each.outputs.values()}
    spans = {derivers.get(path, path): span for path, span in run.spans.items()}
    absent = nix.find_invalid(sorted(derivers))
    shown = [each for path, each in graph.items() if path in spans or each.is_unit or each.gathers]
    headers: dict[tuple[str, str], dict[str, Any]] = {}
    for derivation in shown:
        headers.update(_read_headers(derivation))
    costs, steps = Costs(), []
    for derivation in shown:
        step = _describe_step(derivation, absent)
        part = f"sm_{step['target']}" if "target" in step else "host"
        if step["kind"] != "gather":
            step.update(headers.get((step["unit"], part), {}))
        step["parts"] = costs.list_parts(derivation.path)
        if span := spans.get(derivation.path):
            step.update(_describe_span(span, result.started))
            step["parts"] = span.parts or step["parts"]
            is_built = derivation.path in run.spans
            state = "built" if is_built else "fetched"
            step["state"] = "failed" if derivation.outputs.get("out") in absent else state
            step["kind"] = step["kind"] if is_built else "fetch"
        steps.append(step)
    numbers = {derivation.path: number for number, derivation in enumerate(shown)}
    variants = [row.as_data() for row in result.rows]
    for row in variants:
        closure = list_closure(graph, result.derivations[row["variant"]]) if row["out"] else ()
        row["steps"] = sorted(numbers[path] for path in closure if path in numbers)
        libraries = Path(row["out"]).glob("*.so") if row["out"] else ()
        row["library"] = sum(map(measure_size, libraries)) or None
    return {
        "name": result.manifest["name"],
        "system": result.manifest["system"],
        "date": datetime.now().astimezone().isoformat(timespec="seconds"),
        "seconds": round(result.seconds, 2),
        "before": {phase: round(taken, 2) for phase, taken in run.seconds_before.items()},
        "cores": run.room.cores if run.room else None,
        "memory": run.room.memory // 2**20 if run.room and run.room.memory else None,
        "jobs": [wave.jobs for wave in run.waves],
        "derivations": len(graph),
        "variants": variants,
        "steps": steps,
    }


def _describe_step(derivation: Derivation, absent: set[str]) -> dict[str, Any]:
    name, out = short_name(derivation.path), derivation.outputs.get("out", "")
    _unit, is_target, target = name.rpartition(".sm_")
    kind = next((kind for end, kind in KINDS.items() if name.endswith(end)), "other")
    # The inputs of a variant that was fetched whole need not exist.
    state = "absent" if out in absent else "stored"
    step: dict[str, Any] = {"name": name, "kind": kind, "unit": None, "state": state}
    if is_target:
        step.update(kind="device", target=target)
    if derivation.is_unit or derivation.gathers:
        step["unit"] = derivation.environment.get("source")
        step["size"] = None if out in absent else measure_size(Path(out))
    return step


def _describe_span(span: Span, started: float) -> dict[str, Any]:
    stop = span.start if span.stop is None else span.stop
    times = {"start": round(span.start - started, 2), "stop": round(stop - started, 2)}
    return {**times, "where": span.where}


def _read_headers(derivation: Derivation) -> dict[tuple[str, str], dict[str, Any]]:
    """Return which of Torch's headers the parts of a unit used, as their compile has written it."""
    kept = ("headers", "why", "launches")
    with suppress(LookupError, OSError, ValueError):
        entries = json.loads(Path(derivation.outputs["report"]).read_bytes())
        return {
            (entry["unit"], entry["part"]): {key: entry[key] for key in kept if key in entry}
            for entry in entries
        }
    return {}
