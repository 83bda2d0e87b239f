"""From derivations to their missing sources to a store that has them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kernel_builder import nix
from kernel_builder.kernel.folder import refer_to_flake
from kernel_builder.messages.errors import Problem
from kernel_builder.messages.lists import shorten
from kernel_builder.nix.confinement import require_confined
from kernel_builder.nix.derivations import Graph, list_closure, parse_graph, walk_unbuilt
from kernel_builder.nix.quoting import is_plain
from kernel_builder.settings import current_settings
from kernel_builder.sources.coordinates import Archive, Source, collect_sources, sri
from kernel_builder.sources.fetcher import Refusals, fetch_sources
from kernel_builder.sources.refusals import Refusal

# Problems that many sources share stay readable; the lines above them name each source.
LABELS_SHOWN: Final = 12


@dataclass(frozen=True)
class Missing:
    """What some derivations, the `roots`, still need; `invalid` are outputs that are not there."""

    graph: Graph
    roots: Sequence[str]
    invalid: set[str]
    sources: Sequence[Source]


def find_missing(installables: Sequence[str]) -> Missing:
    """Return the sources that Nix would have to fetch to make the installables."""
    roots = [name for name in installables if name.endswith(".drv")]
    by_place: dict[Path | None, list[str]] = {}
    for name in installables:
        if not name.endswith(".drv"):
            reference, place = _refer(name)
            by_place.setdefault(place, []).append(reference)
    # Without the derivations below them, to know which ones were asked for.
    for place, references in by_place.items():
        roots += parse_graph(nix.show_derivations(references, cwd=place))
    graph = parse_graph(nix.show_derivations(roots, recursive=True))
    outputs = {path for each in graph.values() for path in each.outputs.values()}
    invalid = nix.find_invalid(sorted(outputs))
    unbuilt = walk_unbuilt(graph, roots, invalid)
    if current_settings().untrusted:
        require_confined(unbuilt)
    return Missing(graph, roots, invalid, collect_sources(unbuilt))


def _refer(installable: str) -> tuple[str, Path | None]:
    """Return an installable as Nix takes it, also where the name of its folder is an odd one."""
    folder, separator, attribute = installable.rpartition("#")
    if not separator or not Path(folder).is_dir() or is_plain(Path(folder)):
        return installable, None
    flake, place = refer_to_flake(Path(folder).resolve())
    return f"{flake}#{attribute}", place


def fetch_missing(missing: Missing, archives: str | None = None) -> Refusals:
    """Get the sources and return, for each that cannot be had, why.

    `archives` is where archives of trees may lie: a folder, or the address of a mirror.
    """
    if missing.sources and current_settings().offline:
        why = Refusal("it is not in the store, and --offline is given", "leave --offline out")
        return {source: [why] for source in missing.sources}
    return fetch_sources(missing.sources, archives) if missing.sources else {}


def needed_by(missing: Missing, root: str, sources: Iterable[Source]) -> list[Source]:
    """Return those sources that one derivation needs."""
    closure = list_closure(missing.graph, root)
    return [source for source in sources if source.derivation in closure]


def describe(refused: Mapping[Source, Sequence[Refusal]]) -> list[Problem]:
    """Return problems, one for all the sources that share their reasons."""
    shared: dict[tuple[tuple[str, ...], tuple[str, ...]], list[Source]] = {}
    for source, refusals in refused.items():
        found = tuple(dict.fromkeys(each.found for each in refusals))
        fixes = tuple(dict.fromkeys(each.fix for each in refusals))
        shared.setdefault((found, fixes), []).append(source)
    return [
        Problem(
            at="\n".join(shorten([source.label for source in sources], LABELS_SHOWN)),
            found="\n".join(found),
            want=_wanted(sources),
            fix="\nor ".join(fixes),
        )
        for (found, fixes), sources in shared.items()
    ]


def _wanted(sources: Sequence[Source]) -> str:
    if len(sources) > 1:
        return "these files, each with its pinned sha256"
    source = sources[0]
    if isinstance(source, Archive):
        return f"the tree of {source.file}, {sri(source.sha256)}"
    return f"{source.name}, sha256 {source.sha256}"


def summarize(refusals: Iterable[Sequence[Refusal]]) -> str:
    """Return all reasons on one line."""
    found = dict.fromkeys(each.found for some in refusals for each in some)
    return "; ".join(found)
