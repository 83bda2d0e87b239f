"""The needs of a build: all that binary caches have is fetched, then sources are found."""

import re
from collections.abc import Collection, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Final

from kernel_builder import nix
from kernel_builder.messages.errors import Problem, shorten
from kernel_builder.messages.terminal import Progress, complain
from kernel_builder.nix.derivations import Derivation, Graph, list_closure, parse_graph
from kernel_builder.nix.log import NixLog, Span
from kernel_builder.settings import current_settings

COMPLAINTS_SHOWN: Final = 3
# Messages about caches name an address. Nix repeats a message for each new attempt.
_OF_CACHE: Final = re.compile(r"(?!.*; retrying in \d+ ms$).*://.*")


# The derivation of a source that cannot be had, and the problem with it: its label, and why.
Refusal = tuple[str, Problem]


@dataclass(frozen=True)
class Missing:
    """The needs of derivations, the `roots`; `graph` has those that the store lacks outputs of.

    Nothing below a source is in it, because how Nix itself would fetch that does not matter.
    """

    graph: Graph
    roots: Sequence[str]

    def list_unbuilt(self, roots: Iterable[str]) -> list[Derivation]:
        """Return what Nix would have to make for some roots."""
        steps = dict.fromkeys(step for root in roots for step in list_closure(self.graph, root))
        return [self.graph[step] for step in steps]

    def find_lacking(self, steps: Collection[str]) -> set[str]:
        """Return those of the derivations of which the store lacks an output."""
        makers = {path: step for step in steps for path in self.graph[step].outputs.values()}
        return {makers[path] for path in nix.find_invalid(makers)}

    @property
    def sources(self) -> list[Derivation]:
        """The derivations of sources."""
        return [each for each in self.list_unbuilt(self.roots) if each.is_source]


def fetch_cached(derivations: Sequence[str]) -> dict[str, Span]:
    """Fetch what binary caches have of derivations; return the span of each path that came.

    A cache that is down, or lists what it does not have, is a warning: the rest is built.
    """
    # Without a cache, Nix would look at every derivation for nothing.
    if current_settings().offline or not nix.has_caches():
        return {}
    log, progress = NixLog(), Progress()

    def read(line: str) -> None:
        log.read(line)
        if log.spans:
            progress.show(f"from binary caches: {len(log.spans)} paths")

    with closing(progress):
        nix.substitute(derivations, read)
    lost = nix.find_invalid(log.spans)
    broken = [f"{log.spans[path].where} lists {path}, but has something else" for path in lost]
    if found := list_complaints([*log.warnings, *log.errors]) or broken[:1]:
        complain("warning", "\n".join(["a binary cache failed, so more is built here:", *found]))
    return {path: span for path, span in log.spans.items() if path not in lost}


def list_complaints(messages: Sequence[str]) -> list[str]:
    """Return the first lines of those messages of Nix that are about caches."""
    firsts = dict.fromkeys(message.partition("\n")[0] for message in messages)
    return shorten(list(filter(_OF_CACHE.fullmatch, firsts)), COMPLAINTS_SHOWN)


def find_missing(installables: Sequence[str]) -> Missing:
    """Return what Nix would have to make of the installables without any cache."""
    roots = [name for name in installables if name.endswith(".drv")]
    if installed := [name for name in installables if not name.endswith(".drv")]:
        # Without the derivations below them, which would be roots, too.
        roots += parse_graph(nix.show_derivations(installed))
    unbuilt = nix.find_unbuilt(roots, substitute="false")
    is_many = len(unbuilt) > nix.PATHS_A_CALL
    queried = roots if is_many else [*unbuilt]
    known = parse_graph(nix.show_derivations(queried, recursive=is_many)) if unbuilt else {}
    graph = {path: known[path] for path in unbuilt}
    graph |= {path: replace(each, inputs={}) for path, each in graph.items() if each.is_source}
    return Missing(graph, roots)
