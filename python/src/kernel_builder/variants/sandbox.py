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
from kernel_builder.nix.derivations import DEFAULT_STORE, parse_graph
from kernel_builder.nix.log import short_name
from kernel_builder.variants.result import METADATA

ON, OFF, UNKNOWN = "on", "off", "unknown"
# The folder beside copied variants. One file a variant, so that folders can be merged.
STATES: Final = "sandbox"
STEPS_SHOWN: Final = 5
SETTINGS: Final = "Nix's settings, which are not `sandbox = true` and `sandbox-fallback = false`"
# A state as text, with the hash of a variant's metadata.
RECORD: Final = re.compile(f"({ON}|{OFF}) [0-9a-f]{{64}}\n")
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
    observe, depth = cache(_observe_steps), len(Path(DEFAULT_STORE).parts) + 1
    return {
        name: observe(str(Path(*folder.parts[:depth])))
        if Path(DEFAULT_STORE) in folder.parents
        else _read_state(folder)
        for name, folder in variants.items()
    }


def _observe_steps(path: str) -> Sandbox:
    """Return the state of a path of the store, by Nix's settings and what all its steps saw."""
    (root,) = nix.find_derivers([path]).values()
    if not Path(root).exists():
        return Sandbox(UNKNOWN, [path], is_in_store=True)
    graph = parse_graph(nix.show_derivations([root], recursive=True))
    outputs = {each for step in graph.values() for each in step.outputs.values()}
    # If only a download differs, another derivation has built the same output.
    derivers = nix.find_derivers(sorted(outputs - nix.find_invalid(outputs)))
    off: set[str] = set()
    unknown = set() if nix.has_sandbox() else {SETTINGS}
    seen: set[str] = set()
    todo = [root]
    while todo:
        step = todo.pop()
        # A download needs no sandbox: its hash says what it is.
        if step in seen or graph[step].is_fixed:
            continue
        seen.add(step)
        todo += graph[step].inputs
        built = next((derivers[o] for o in graph[step].outputs.values() if o in derivers), step)
        state = _read_record(built)
        if state == OFF or "__noChroot" in graph[step].environment:
            off.add(short_name(step))
        elif state == UNKNOWN:
            unknown.add(short_name(step))
    state = OFF if off else UNKNOWN if unknown else ON
    return Sandbox(state, sorted(off or unknown), is_in_store=True)


def _read_record(derivation: str) -> str:
    """Return what a step recorded, at the beginning of its log."""
    name = Path(derivation).name
    folder = os.environ.get("NIX_LOG_DIR", "/nix/var/log/nix")
    place = Path(folder) / "drvs" / name[:2]
    states = {UNKNOWN}
    # By the setting compress-build-log. An earlier build may have left the other one.
    for file in (place / f"{name[2:]}.bz2", place / name[2:]):
        with suppress(OSError, EOFError):
            with bz2.open(file) if file.suffix == ".bz2" else file.open("rb") as opened:
                found = _OBSERVED.match(opened.read(200))
            states |= {found[1].decode()} if found else set()
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
