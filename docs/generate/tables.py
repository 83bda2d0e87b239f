"""Writes the tables of the documents that show the library's values or JSON files of this project.

A page has such a table between `<!-- table NAME: … -->` and `<!-- end of table -->`.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

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
MARKED = re.compile(
    r"(<!-- table (?P<name>[\w-]+):[^>]*-->\n\n).*?(\n\n<!-- end of table -->)",
    re.DOTALL,
)


def fill(text: str, tables: Mapping[str, str]) -> str:
    """Return a page with its tables as they are now."""
    return MARKED.sub(
        lambda found: f"{found[1]}{tables[found['name']]}{found[3]}", text
    )


def format_table(head: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    """Return a Markdown table. A bar in a cell would end it."""
    lines = [[str(cell).replace("|", r"\|") for cell in line] for line in (head, *rows)]
    first, *rest = (f"| {' | '.join(line)} |" for line in lines)
    return "\n".join([first, "|---" * len(head) + "|", *rest])


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
        "keys": _keys(facts),
        "depends": _names(facts["depends"], "package", "meaning", "version"),
        "python-depends": _names(
            facts["python-depends"], "Python project", "project", "import"
        ),
        "options": _options(facts["options"]),
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


def _code(words: Iterable[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)


def _keys(facts: Mapping[str, Any]) -> str:
    sections, backends = facts["sections"], facts["backends"]
    # Sections of backends without keys of their own are described together.
    alike = [
        f"general.{name}" for name in backends if not backends[name]["generalKeys"]
    ]
    first = ("general", "general.hub", alike[0])
    last = ("torch", "torch-noarch", "tvm-ffi", "kernel.NAME")
    own = [name for name in sections if name not in (*first, *alike, *last)]
    return "\n\n".join(
        _section(facts, name, name == alike[0]) for name in (*first, *own, *last)
    )


def _section(facts: Mapping[str, Any], name: str, is_any_backend: bool) -> str:
    section = facts["sections"][name]
    meaning = f"Keys for the variants of one backend: {_code(facts['backends'])}."
    title = f"## [{'general.BACKEND' if is_any_backend else name}]"
    text = f"{title}\n\n{meaning if is_any_backend else section['meaning']}"
    rows = [
        _key(facts, name, section["keys"][name]) for name in sorted(section["keys"])
    ]
    table = format_table(["key", "value", "default", "meaning", "since edition"], rows)
    return f"{text}\n\n{table}" if rows else text


def _key(facts: Mapping[str, Any], name: str, key: Mapping[str, Any]) -> list[object]:
    value = facts["wants"][key["type"]]
    if key["allowed"]:
        value = f"{value}: {_code(key['allowed'])}"
    elif key["form"]:
        value = (
            f"a list, each {key['form']}" if key["type"] == "strings" else key["form"]
        )
    default = "" if key["default"] is None else f"`{json.dumps(key['default'])}`"
    only = f" ({', '.join(key['backends'])} only)" if key["backends"] else ""
    default = "required" if key["required"] else default
    return [f"`{name}`", value, default, f"{key['meaning']}{only}", key["since"]]


def _names(entries: Mapping[str, Any], title: str, second: str, third: str) -> str:
    heads = ["name", title, "imported as" if third == "import" else third, "backends"]
    return format_table(
        heads,
        (
            [
                f"`{name}`",
                one[second],
                one[third] or "",
                ", ".join(one["backends"] or ["all"]),
            ]
            for name, one in sorted(entries.items())
        ),
    )


def _options(options: Mapping[str, Any]) -> str:
    def default(option: Mapping[str, Any]) -> str:
        given = f"`{json.dumps(option['default'])}`" if "default" in option else ""
        return "required" if option["isRequired"] else given

    return format_table(
        ["argument", "value", "default", "meaning"],
        (
            [f"`{name}`", option["want"], default(option), option["meaning"]]
            for name, option in options.items()
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
