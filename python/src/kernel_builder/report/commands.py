"""The option --report of `build`: its steps with times, memory and sizes, as data or as a page."""

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Final

import click

from kernel_builder import nix
from kernel_builder.commands.results import ADDITIONS
from kernel_builder.machine.files import replace_text
from kernel_builder.machine.room import COMPILES
from kernel_builder.messages.terminal import say
from kernel_builder.nix.derivations import Derivation, list_closure, parse_graph
from kernel_builder.nix.log import short_name
from kernel_builder.variants.outcome import BuildResult
from kernel_builder.variants.table import measure_size

# The kinds of steps that a report names.
KINDS: Final = {"check", "compile", "device", "gather", "host", "link"}
# Facts about the headers of a part of a unit.
Headers = Mapping[tuple[Any, str], Mapping[str, Any]]


def write_report(data: Mapping[str, Any], file: Path) -> None:
    """Write a report: as JSON if the file's name ends so, else as a page that needs no other file.

    Raises OSError if the file cannot be written.
    """
    replace_text(file, json.dumps(data, indent=2) if file.suffix == ".json" else render_page(data))
    say(f"report: {file}")


def render_page(data: Mapping[str, Any]) -> str:
    """Return the page that shows a report."""
    # No text of the data can end the element that it is in.
    text = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    page = Path(__file__).with_name("page.html").read_text(encoding="utf-8")
    return page.replace("@data@", text)


def collect_report(results: Sequence[BuildResult]) -> dict[str, Any]:
    """Return the data of a report, which docs/reference/build-report.md describes.

    Seconds count from the start of the command. Sizes are in bytes, memory is in units of 2^20.
    `results` are of kernels that were built as one.
    """
    first = max(results, key=lambda each: (len(each.run.spans), each.run.room is not None))
    run, room, zero = first.run, first.run.room, first.started
    roots = list(dict.fromkeys(drv for each in results for drv in each.derivations.values()))
    graph = parse_graph(nix.show_derivations(roots, recursive=True)) if roots else {}
    derivers = {out: path for path, each in graph.items() for out in each.outputs.values()}
    absent = nix.find_invalid(sorted(derivers))
    headers = _read_headers(graph.values())
    spans = {derivers.get(path, path): (path, span) for path, span in run.spans.items()}
    steps = {
        path: _describe_step(each, absent, headers)
        for path, each in graph.items()
        if each.step in {*COMPILES, "gather"} or path in spans
    }
    for path in steps.keys() & spans.keys():
        origin, span = spans[path]
        start, stop = (round(at - zero, 2) for at in (span.start, span.stop or span.start))
        state = "failed" if steps[path]["state"] == "absent" else "built"
        steps[path].update(state=state, start=start, stop=stop, where=span.where, parts=span.parts)
        if origin != path:
            steps[path].update(state="fetched", kind="fetch")
    rows = [(result, {**vars(row)}) for result in results for row in result.rows]
    for result, row in rows:
        row["kernel"], out = result.manifest["name"], row["out"]
        closure = list_closure(graph, result.derivations[row["variant"]]) if out else ()
        row["steps"] = [number for number, path in enumerate(steps) if path in closure]
        row["library"] = sum(map(measure_size, Path(out).glob("*.so") if out else ())) or None
    return {
        "name": first.manifest["name"] if len(results) == 1 else f"{len(results)} kernels",
        "system": first.manifest["system"],
        "date": datetime.now().astimezone().isoformat(timespec="seconds"),
        "seconds": round(max(each.seconds for each in results), 2),
        "before": {phase: round(taken, 2) for phase, taken in run.seconds_before.items()},
        "cores": room.cores if room else None,
        "memory": room.memory // 2**20 if room and room.memory else None,
        "jobs": [run.jobs] if room else [],
        "derivations": len(graph),
        "variants": [row for _, row in rows],
        "errors": [
            {"headline": error.headline, "problems": error.as_data()}
            for result in results
            for error in result.errors
        ],
        "warnings": [
            {**each, "kernel": result.manifest["name"]}
            for result in results
            for each in result.warnings
        ],
        "steps": [*steps.values()],
    }


def _describe_step(derivation: Derivation, absent: set[str], headers: Headers) -> dict[str, Any]:
    name, out = short_name(derivation.path), derivation.outputs.get("out", "")
    other = "compile" if derivation.step in COMPILES else "other"
    kind = derivation.step if derivation.step in KINDS else other
    # The inputs of a variant that was fetched whole need not exist.
    state = "absent" if out in absent else "stored"
    step: dict[str, Any] = {"name": name, "kind": kind, "unit": None, "state": state, "parts": []}
    part = "host"
    if target := kind == "device" and derivation.environment.get("arch"):
        step["target"], part = target, f"sm_{target}"
    if derivation.step in {*COMPILES, "gather"}:
        step["unit"] = derivation.environment.get("source")
        step["size"] = None if out in absent else measure_size(Path(out))
    if kind != "gather":
        step.update(headers.get((step["unit"], part), {}))
    return step


def _read_headers(derivations: Iterable[Derivation]) -> Headers:
    """Return which of Torch's headers each part of a unit used, as the compiles have written it."""
    found = {}
    for derivation in derivations:
        # A report of a variant that was fetched whole need not exist.
        with suppress(LookupError, OSError, ValueError):
            for each in json.loads(Path(derivation.outputs["report"]).read_bytes()):
                found[each.pop("unit"), each.pop("part")] = each
    return found


def _add_report(context: click.Context, _option: click.Parameter, file: Path | None) -> None:
    """Let the build collect its report, and write it at the very end."""
    if not file:
        return

    def add(results: Sequence[BuildResult]) -> dict[str, Any]:
        report = collect_report(results)
        # A full disk takes away nothing but the report.
        context.call_on_close(partial(write_report, report, file))
        return {"report": report}

    context.meta.setdefault(ADDITIONS, []).append(add)


REPORT: Final = click.Option(
    ["--report"], type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
    expose_value=False, callback=_add_report,
    help="Write the times, memory and sizes of all steps: a page, or JSON for FILE.json.",
)  # fmt: skip
