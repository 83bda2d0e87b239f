"""Writes the tables of the documents that show the library's values or JSON files of this project.

markdown.py puts them into the pages, and keys.py writes those about keys and arguments.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from generate.keys import write_key_tables
from generate.markdown import format_table

# States of a build, the best first.
STATES = (
    "run on a GPU",
    "run on a CPU",
    "imported",
    "assembled",
    "linked",
    "compiled",
    "instantiated",
)


def write_tables(
    facts: Mapping[str, Any],
    records: Sequence[Mapping[str, Any]],
    tool: Sequence[Mapping[str, Any]],
    mistakes: Mapping[str, Sequence[Mapping[str, Any]]],
) -> dict[str, str]:
    """Return all tables by name.

    `facts` are those of facts.nix, `records` those of status.json, `tool` of existing_tool.json;
    `mistakes` are those of tests/mistakes, by class.
    """
    return {
        "share-of-mistakes": _share_of_mistakes(mistakes),
        "mistakes": _mistakes(mistakes),
        "existing-tool": _existing_tool(tool),
        "states": _states(facts, records),
        "records": _records(records),
        **write_key_tables(facts),
        "builds": _builds(facts),
        "targets": _targets(facts),
    }


def state_of(record: Mapping[str, Any]) -> str:
    """Return a state such as "linked with stand-ins"."""
    return (
        f"{record['state']} with stand-ins"
        if "instead" in record
        else str(record["state"])
    )


def _states(facts: Mapping[str, Any], records: Sequence[Mapping[str, Any]]) -> str:
    systems = list(dict.fromkeys(build["system"] for build in facts["builds"]))
    counts: Counter[tuple[str, str, str]] = Counter()
    for record in records:
        counts[record["backend"], record["system"], state_of(record)] += len(
            record["builds"]
        )
    states = [each for state in STATES for each in (state, f"{state} with stand-ins")]

    def cell(backend: str, system: str) -> str:
        numbers = ((counts[backend, system, state], state) for state in states)
        return ", ".join(f"{number} {state}" for number, state in numbers if number)

    rows = (
        [name, *(cell(name, system) for system in systems)]
        for name in facts["backends"]
    )
    return format_table(["backend", *systems], rows)


def _records(records: Sequence[Mapping[str, Any]]) -> str:
    def what(record: Mapping[str, Any]) -> str:
        stand_ins = f"; stand-ins: {record['instead']}" if "instead" in record else ""
        return f"{record['what']}{stand_ins}"

    def used(record: Mapping[str, Any]) -> str:
        versions = (
            f"{name} {version}" for name, version in record.get("versions", {}).items()
        )
        return ", ".join((*versions, *([record["on"]] if "on" in record else [])))

    def see(record: Mapping[str, Any]) -> str:
        path = record.get("see", "")
        if path.startswith("docs/"):
            return f"[{Path(path).stem}](../{path.removeprefix('docs/')})"
        return f"`{path}`" if path else ""

    return format_table(
        ["system", "builds", "state", "what was done", "with", "on", "see"],
        (
            [
                record["system"],
                ", ".join(record["builds"]).replace(".0+", "+").replace("+", " "),
                state_of(record),
                what(record),
                used(record),
                record.get("date", ""),
                see(record),
            ]
            for record in records
        ),
    )


def _share_of_mistakes(mistakes: Mapping[str, Sequence[Mapping[str, Any]]]) -> str:
    def row(name: str, records: Sequence[Mapping[str, Any]]) -> list[object]:
        found = sum(each["found"] for each in records)
        return [name, len(records), found, f"{100 * found / len(records):.1f} %"]

    everything = [each for records in mistakes.values() for each in records]
    rows = [row(name, records) for name, records in mistakes.items()]
    head = ["class", "mistakes", "found", "share"]
    return format_table(head, [*rows, row("**all**", everything)])


def _mistakes(mistakes: Mapping[str, Sequence[Mapping[str, Any]]]) -> str:
    def answer(record: Mapping[str, Any]) -> str:
        if not record["found"]:
            return f"**not found**: {record.get('why', 'nobody says why')}"
        return f"{record['kind']} at `{record['at']}`"

    steps = {"evaluation": "check-config"}
    return format_table(
        ["class", "mistake", "kernel", "found by", "answer"],
        (
            [
                name,
                record["mistake"].replace("_", r"\_"),
                record["kernel"],
                steps.get(record["tier"], "build"),
                answer(record),
            ]
            for name, records in mistakes.items()
            for record in records
        ),
    )


def _existing_tool(records: Sequence[Mapping[str, Any]]) -> str:
    def key(record: Mapping[str, Any]) -> tuple[str, str]:
        note = f": {record['note']}" if "note" in record else ""
        here = f"prints: {record['instead']}" if "instead" in record else f"works{note}"
        return f"`{record['command']}`" if record.get("command") else "", here

    def typed(record: Mapping[str, Any]) -> str:
        if "option" in record:
            return " or ".join(f"`{word}`" for word in record["option"])
        words = record.get("arguments") or [record.get("variable", "")]
        return " ".join(f"`{word}`" for word in words if word)

    return format_table(
        ["command", "arguments, options, variables", "here"],
        (
            [command, ", ".join(filter(None, map(typed, group))), here]
            for (command, here), group in groupby(records, key)
        ),
    )


def _builds(facts: Mapping[str, Any]) -> str:
    # A backend without compiled code has no variants here.
    variants = {
        (variant["system"], variant["torch"], variant["compute"]): variant
        for variant in facts["variants"]
    }

    def where(row: Mapping[str, Any], answer: str) -> str:
        keys = {
            system: (system, row["torch"], row["compute"]) for system in row["systems"]
        }
        found = [
            name
            for name, key in keys.items()
            if variants.get(key, {}).get(answer) == "yes"
        ]
        return "yes" if found == row["systems"] else ", ".join(found) or "no"

    heads = ["Torch", "compute", "systems", "in the bundle", "imported", "tests"]

    def table(backend: str) -> str:
        rows = (
            [
                row.get("pre", row["torchVersion"]),
                row["compute"],
                ", ".join(row["systems"]),
                "yes" if row["bundleBuild"] else "no",
                where(row, "import"),
                where(row, "tests"),
            ]
            for row in facts["rows"]
            if row["backend"] == backend
        )
        return f"### {backend}\n\n{format_table(heads, rows)}"

    return "\n\n".join(table(backend) for backend in facts["backends"])


def _targets(facts: Mapping[str, Any]) -> str:
    tables = []
    for backend in facts["backends"].values():
        releases = sorted(
            backend["releases"].items(), key=lambda one: [*map(int, one[0].split("."))]
        )
        rows = (
            [name, " ".join(one["default"]), " ".join(one["supported"])]
            for name, one in releases
        )
        if backend["key"]:
            table = format_table([backend["toolkit"], "default", "supported"], rows)
            tables.append(f"### `{backend['key']}`\n\n{table}")
    return "\n\n".join(tables)
