"""Writes the tables of the keys of build.toml and of the arguments of flakes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from generate.markdown import format_table


def write_key_tables(facts: Mapping[str, Any]) -> dict[str, str]:
    """Return the tables by name. `facts` are those of facts.nix."""
    return {
        "keys": _keys(facts),
        "depends": _names(facts["depends"], "package", "meaning", "version"),
        "python-depends": _names(
            facts["python-depends"], "Python project", "project", "import"
        ),
        "options": _options(facts["options"]),
    }


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
