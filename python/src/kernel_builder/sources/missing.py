"""Finds the sources that a build lacks, and says why some of them cannot be had."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from kernel_builder import nix
from kernel_builder.messages.errors import Problem, shorten
from kernel_builder.nix.derivations import Graph, parse_graph, walk_unbuilt
from kernel_builder.nix.errors import MORE_SPACE, is_full
from kernel_builder.sources.coordinates import Source, collect_sources

# The reasons why each way to a source failed.
Refusals = Mapping[Source, Sequence[str]]
OFFLINE: Final = "it is not in the store, and --offline is given"
OTHER_FILE: Final = re.compile("another file|hash mismatch")
LABELS_SHOWN: Final = 12
REASONS_SHOWN: Final = 4
_WAYS: Final[Mapping[str, str]] = {
    "deb": "give apt a mirror that has it in Debian {0.suite}",
    "wheel": "give pip an index that has it (`pip config list` shows the present ones)",
    "vendor": "correct its address",
    "kernel": "lock {0.repository} anew (`nix run .#lock-kernels`) if it lost its commit",
    "archive": "fetch {0.url} elsewhere, bring it here, and run nix-prefetch-url --unpack --name "
    "{0.name} --type sha256 file://$PWD/{0.file} {0.sha256}",
}


@dataclass(frozen=True)
class Missing:
    """Sources that derivations, the `roots`, still need; `invalid` are outputs to be made."""

    graph: Graph
    roots: Sequence[str]
    invalid: set[str]
    sources: Sequence[Source]


def find_missing(installables: Sequence[str]) -> Missing:
    """Return the sources that Nix would have to fetch to make the installables.

    Raises KernelBuilderError if a source has wrong coordinates.
    """
    roots = [name for name in installables if name.endswith(".drv")]
    if others := [name for name in installables if not name.endswith(".drv")]:
        # Without the derivations below them, which would be roots, too.
        roots += parse_graph(nix.show_derivations(others))
    graph = parse_graph(nix.show_derivations(roots, recursive=True))
    outputs = {path for each in graph.values() for path in each.outputs.values()}
    invalid = nix.find_invalid(sorted(outputs))
    unbuilt = walk_unbuilt(graph, roots, invalid)
    return Missing(graph, roots, invalid, collect_sources(unbuilt))


def describe_refusals(refused: Refusals) -> list[Problem]:
    """Return problems, one for all sources with the same way out."""
    by_fix: dict[str, list[Source]] = {}
    for source, reasons in refused.items():
        by_fix.setdefault(_find_way_out(source, reasons), []).append(source)
    problems = []
    for fix, sources in by_fix.items():
        at = shorten([source.label for source in sources], LABELS_SHOWN)
        found = list(dict.fromkeys(reason for source in sources for reason in refused[source]))
        want = f"{sources[0].name}, sha256 {sources[0].sha256}"
        want = want if len(sources) == 1 else "these files, each with its pinned sha256"
        problems.append(Problem("\n".join(at), "\n".join(shorten(found, REASONS_SHOWN)), want, fix))
    return problems


def _find_way_out(source: Source, reasons: Sequence[str]) -> str:
    if OFFLINE in reasons:
        return "leave --offline out"
    if any(map(is_full, reasons)):
        return MORE_SPACE
    if any(map(OTHER_FILE.search, reasons)):
        return "do not use that file; if it was replaced on purpose, correct the pin"
    way = _WAYS[source.kind].format(source)
    return f"check the network, {way}, or prefetch elsewhere and bring it here with `nix copy`"
