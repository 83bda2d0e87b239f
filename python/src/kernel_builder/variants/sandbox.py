"""Whether variants were built in Nix's sandbox: Nix is set to build in it alone, and steps saw it.

Each step of kernel-builder first looks where it runs (pkgs/bootstrap/make-step.nix) and records it
in its log, which Nix keeps for all users of the store. A step that a binary cache or another
machine gave has no log here. A copy of variants has a file for each that holds for its bytes alone.
"""

import bz2
import os
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from kernel_builder import nix
from kernel_builder.machine.files import hash_file, read_file
from kernel_builder.messages.errors import KernelBuilderError, Problem, shorten
from kernel_builder.nix.derivations import DEFAULT_STORE, list_closure, parse_graph
from kernel_builder.nix.log import short_name
from kernel_builder.variants.result import METADATA, STATES

ON, OFF, UNKNOWN = "on", "off", "unknown"
STEPS_SHOWN: Final = 5
SETTINGS: Final = "Nix's settings, which are not `sandbox = true` and `sandbox-fallback = false`"
# A state as text, with the hash of a variant's metadata.
RECORD: Final = re.compile(f"({ON}|{OFF}) [0-9a-f]{{64}}\n")
_STORE_PATH: Final = re.compile(f"{DEFAULT_STORE}/[^/]+")
# The first line of a step's log.
_OBSERVED: Final = re.compile(rb'@nix \{"action":"setPhase","phase":"sandbox: (on|off)"\}')


@dataclass(frozen=True)
class Sandbox:
    """`on`, `off` or `unknown`, and the steps that keep it from being `on`.

    `is_in_store` says that this machine's store was asked now.
    """

    state: str
    reasons: Sequence[str] = ()
    is_in_store: bool = False


def find_states(variants: Mapping[str, Path]) -> dict[str, Sandbox]:
    """Return the state of each variant, by its name; the folders are resolved."""
    # A path in the store may be a bundle, which is observed once for all of its variants.
    observe, states = cache(_observe_steps), {}
    for name, folder in variants.items():
        path = _STORE_PATH.match(str(folder))
        states[name] = observe(path[0]) if path else _read_state(folder)
    return states


def _observe_steps(path: str) -> Sandbox:
    """Return the state of a path of the store, by Nix's settings and what all its steps saw."""
    (root,) = nix.find_derivers([path]).values()
    if not Path(root).exists():
        return Sandbox(UNKNOWN, [path], is_in_store=True)
    graph = parse_graph(nix.show_derivations([root], recursive=True))
    # A download needs no sandbox: its hash says what it is.
    steps = {path: each for path, each in graph.items() if not each.is_fixed}
    needed = {path: steps[path].outputs.values() for path in list_closure(steps, root)}
    outputs = set().union(*needed.values())
    # If only a download differs, another derivation has built the same output.
    derivers = nix.find_derivers(sorted(outputs - nix.find_invalid(outputs)))
    reasons: dict[str, set[str]] = {OFF: set(), UNKNOWN: set(), ON: set()}
    for step, made in needed.items():
        built = next((derivers[output] for output in made if output in derivers), step)
        is_off = "__noChroot" in steps[step].environment
        reasons[OFF if is_off else _read_record(built)].add(short_name(step))
    if not nix.has_sandbox():
        reasons[UNKNOWN].add(SETTINGS)
    state = next((state for state in (OFF, UNKNOWN) if reasons[state]), ON)
    return Sandbox(state, sorted(reasons[state]) if state != ON else (), is_in_store=True)


def _read_record(derivation: str) -> str:
    """Return what a step recorded, at the beginning of its log."""
    name = Path(derivation).name
    place = Path(os.environ.get("NIX_LOG_DIR", "/nix/var/log/nix"), "drvs", name[:2])
    states = {UNKNOWN}
    # By the setting compress-build-log. An earlier build may have left the other one.
    for file, open_log in ((f"{name[2:]}.bz2", bz2.open), (name[2:], open)):
        with suppress(OSError, EOFError), open_log(place / file, "rb") as log:
            if found := _OBSERVED.match(log.read(200)):
                states.add(found[1].decode())
    return next(state for state in (OFF, ON, UNKNOWN) if state in states)


def _read_state(variant: Path) -> Sandbox:
    """Return the recorded state of a copied variant, if the record is about these bytes."""
    with suppress(OSError):
        record = read_file(variant.parent / STATES / variant.name).decode(errors="replace")
        for state in (ON, OFF):
            if record == format_state(state, variant):
                return Sandbox(state, ["as recorded"])
    return Sandbox(UNKNOWN)


def format_state(state: str, variant: Path) -> str:
    """Return the record of a state. The metadata has the hashes of all files of a variant."""
    return f"{state} {hash_file(variant / METADATA)}\n"


def describe_states(states: Mapping[str, str]) -> str:
    """Return a line for each state, with the variants if there are several states."""
    lines = []
    for state in sorted({*states.values()}, key=(ON, OFF, UNKNOWN).index):
        names = sorted(name for name in states if states[name] == state)
        shown = f" ({', '.join(names)})" if len(names) < len(states) else ""
        lines.append(f"Sandbox: {state}{shown}")
    return "\n".join(lines)


def require_sandbox(states: Mapping[str, Sandbox]) -> None:
    """Raise KernelBuilderError if a variant was built without the sandbox.

    An unknown state counts as well where this machine's store was asked.
    """
    found = {OFF: "built without Nix's sandbox", UNKNOWN: "perhaps built without one"}
    want = "steps that all ran in Nix's sandbox"
    fix = "build it again in one (docs/guide/uploading.md), or add --allow-unsandboxed"
    problems = []
    for name, each in sorted(states.items()):
        if each.state == OFF or (each.state == UNKNOWN and each.is_in_store):
            steps = ", ".join(shorten(each.reasons, STEPS_SHOWN))
            problems.append(Problem(name, f"{found[each.state]}: {steps}", want, fix))
    if problems:
        count = f"{len(problems)} of {len(states)} variants"
        raise KernelBuilderError(f"{count} were not seen to be built in a sandbox", problems)
