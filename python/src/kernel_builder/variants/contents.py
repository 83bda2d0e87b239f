"""What a kernel is built with: its own steps and what they use, by kind.

A step is the kernel's own if its name begins with the kernel's, as builders name them. What
others are made of (sources, packages that are only unpacked) is of no use to anybody who has them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kernel_builder import nix
from kernel_builder.messages.terminal import say
from kernel_builder.nix.derivations import Graph, parse_graph
from kernel_builder.nix.log import short_name

if TYPE_CHECKING:
    # That module loads this one for --keep.
    from kernel_builder.variants.build import Report

KINDS: Final = ("object", "extension", "variant", "bundle", "header", "toolchain")
HEADERS: Final = re.compile(r".*-(headers|dev)|precompiled-.*")


@dataclass(frozen=True)
class Contents:
    """What is there: all of it as one path; and what is not, of what a build would make."""

    path: str
    closure: Sequence[str]
    absent: Sequence[str]


def find_contents(report: Report) -> Contents:
    """Return what a kernel was built with, whether or not all went well."""
    kernel = report.manifest["name"]
    derivations = [*report.derivations.values(), *filter(None, [report.bundle])]
    graph = parse_graph(nix.show_derivations(derivations, recursive=True))
    paths = _own_and_used(graph, kernel)
    absent = nix.find_invalid(sorted(paths))
    path = nix.gather(f"{kernel}-contents", paths - absent)
    return Contents(path, nix.list_requisites([path]), sorted(absent))


def keep(contents: Contents, name: str) -> None:
    """Have the garbage collector leave it all, until the link is gone or made anew."""
    state = os.environ.get("XDG_STATE_HOME") or "~/.local/state"
    link = Path(state).expanduser() / "kernel-builder" / "kept" / name
    link.parent.mkdir(parents=True, exist_ok=True)
    nix.link_result(contents.path, link)
    say(f"kept as long as this link is there: {link}")


def _own_and_used(graph: Graph, kernel: str) -> set[str]:
    paths: set[str] = set()
    for path, derivation in graph.items():
        if is_own(short_name(path), kernel):
            paths.update(derivation.outputs.values())
            for used, names in derivation.inputs.items():
                if "sourceKind" not in graph[used].environment:
                    paths.update(graph[used].outputs[name] for name in names)
    return paths


def is_own(name: str, kernel: str) -> bool:
    """Say whether a step of this name is one of the kernel's own."""
    return f"{name}-".startswith(f"{kernel}-")


def kind_of(path: str, kernel: str, variants: Iterable[str]) -> str:
    """Return the kind of a path; what is not the kernel's own is a header or a tool."""
    name = short_name(path)
    if not is_own(name, kernel):
        return "header" if HEADERS.fullmatch(name) else "toolchain"
    if name.endswith("-extension"):
        return "extension"
    if any(is_own(name, f"{kernel}-{variant}") for variant in variants):
        return "variant"
    return "bundle" if name in (kernel, f"{kernel}-card", f"{kernel}-contents") else "object"
