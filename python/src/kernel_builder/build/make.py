"""Makes what the store does not have yet: fetches sources, then builds.

Loaded only when there is something to make: loading this is most of what a build with nothing to
do would cost.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from kernel_builder.build.derivations import Building, Options, describe_failures
from kernel_builder.build.log import short_name
from kernel_builder.nix.derivations import list_closure
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.sources.fetcher import Fetcher
from kernel_builder.sources.missing import (
    describe,
    fetch_missing,
    find_missing,
    needed_by,
    summarize,
)
from kernel_builder.build.table import State


@dataclass
class Made:
    """How derivations ended, each with a reason if there is one, and the problems behind it."""

    ends: dict[str, tuple[State, str]] = field(default_factory=dict)
    left_out: list[Problem] = field(default_factory=list)
    failures: list[Problem] = field(default_factory=list)


def make(derivations: Sequence[str], options: Options) -> Made:
    """Build those whose sources can be had."""
    made = Made()
    missing = find_missing(derivations)
    refused = fetch_missing(missing, Fetcher())
    made.left_out = describe(refused)
    ready = []
    for derivation in derivations:
        lacking = needed_by(missing, derivation, refused)
        if lacking:
            made.ends[derivation] = State.LEFT_OUT, summarize(lacking.values())
        else:
            ready.append(derivation)
    failed: Mapping[str, Sequence[str]] = {}
    if ready:
        failed = Building(missing.graph, options).run(ready)
    made.failures = describe_failures(failed)
    for derivation in ready:
        closure = list_closure(missing.graph, derivation)
        causes = ", ".join(short_name(each) for each in failed if each in closure)
        made.ends[derivation] = State.FAILED if causes else State.BUILT, causes
    return made


def complete_bundle(derivation: str) -> None:
    """Fetch what a bundle itself needs besides its variants."""
    refused = fetch_missing(find_missing([derivation]), Fetcher())
    if refused:
        raise KernelBuilderError("the bundle cannot be put together", describe(refused))
