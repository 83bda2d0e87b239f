"""What there is to say of each variant: Torch, toolkit, sources, targets, and what is left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import dedent, indent
from typing import Any

from kernel_builder.messages.errors import Problem

INDENT = "  "


def format_details(details: Sequence[Mapping[str, Any]]) -> str:
    """Return a paragraph for each variant."""
    return "\n\n".join(_paragraph(each) for each in details)


def _paragraph(variant: Mapping[str, Any]) -> str:
    return "\n".join([variant["name"], *(indent(line, INDENT) for line in _lines(variant))])


def _lines(variant: Mapping[str, Any]) -> list[str]:
    toolkit = f", {variant['backend']} {variant['toolkit']}" if variant["toolkit"] else ""
    if variant["noarch"]:
        build = f"no compiled code, for {variant['backend']}"
    else:
        build = f"Torch {variant['torch']}{toolkit or ', ' + variant['backend']}"
    if variant["stableAbi"]:
        build += f", on the stable ABI of {variant['stableAbi']}"
    hosts = ["package registries" if host == "registry" else host for host in variant["hosts"]]
    lines = [build, f"sources from {' and '.join(hosts)}"]
    if not variant["bundle"]:
        lines.append("no part of bundles: built by its name")
    for component in variant["components"]:
        targets = " ".join(component["targets"])
        lines.append(f"{component['name']}{': ' if targets else ''}{targets}")
    for warning in variant["warnings"]:
        lines += ["", "warning:", indent(dedent(Problem(**warning).render()), INDENT)]
    if variant["unavailable"]:
        lines += ["", "cannot be built:", indent(variant["unavailable"].strip("\n"), INDENT)]
    return lines
