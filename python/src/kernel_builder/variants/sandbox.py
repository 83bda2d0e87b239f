"""Whether variants were built in Nix's sandbox. Only what the steps themselves observed counts.

Each step of kernel-builder first looks where it runs (pkgs/bootstrap/make-step.nix) and writes it
into its log, which Nix keeps for all users of the store. A step that a binary cache or another
machine gave has no log here. A copy of variants has a file for each that holds for its bytes alone.
"""

from __future__ import annotations

import bz2
import os
import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kernel_builder import nix
from kernel_builder.machine.files import hash_file, read_file
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.lists import shorten
from kernel_builder.nix.derivations import DEFAULT_STORE, Graph, parse_graph
from kernel_builder.nix.log import short_name
from kernel_builder.variants.result import METADATA

ON, OFF, UNKNOWN = "on", "off", "unknown"
# The folder beside copied variants. One file a variant, so that folders can be merged.
STATES: Final = "sandbox"
STEPS_SHOWN: Final = 5
# The first line of a step's log.
_OBSERVED: Final = re.compile(rb'@nix \{"action":"setPhase","phase":"sandbox: (on|off)"\}')


@dataclass(frozen=True)
class Sandbox:
    """`on`, `off` or `unknown`, and the steps that keep it from being `on`.

    `is_in_store` says that the state was read now from the logs of this machine.
    """

    state: str
    reasons: Sequence[str] = ()
    is_in_store: bool = False


def find_states(variants: Mapping[str, Path]) -> dict[str, Sandbox]:
    """Return the state of each variant, by its name; the folders are resolved."""
    store = Path(DEFAULT_STORE)
    in_store = {
        name: str(store / folder.relative_to(store).parts[0])
        for name, folder in variants.items()
        if store in folder.parents
    }
    observed = _observe_steps(sorted({*in_store.values()})) if in_store else {}
    return {
        name: observed[in_store[name]] if name in in_store else _read_state(folder)
        for name, folder in variants.items()
    }


def _observe_steps(paths: Sequence[str]) -> dict[str, Sandbox]:
    """Return what the steps observed that these paths of the store were built with."""
    roots = nix.find_derivers(paths)
    known = [root for root in roots.values() if Path(root).exists()]
    graph = parse_graph(nix.show_derivations(known, recursive=True)) if known else {}
    outputs = {path for each in graph.values() for path in each.outputs.values()}
    copied = nix.find_copied(outputs)
    derivers = nix.find_derivers(sorted(outputs - nix.find_invalid(outputs)))
    is_set = nix.has_sandbox()
    states = {}
    for path, root in roots.items():
        off, unknown = (
            _judge_steps(graph, root, copied, derivers) if root in graph else (set(), {path})
        )
        if not is_set:
            unknown.add("Nix's setting `sandbox`, which is not `true`")
        state = OFF if off else UNKNOWN if unknown else ON
        states[path] = Sandbox(state, sorted(off or unknown), is_in_store=True)
    return states


def _judge_steps(
    graph: Graph, root: str, copied: Set[str], derivers: Mapping[str, str]
) -> tuple[set[str], set[str]]:
    """Return the steps below `root` that ran outside of the sandbox, and those that may have."""
    logs: dict[str, tuple[str, float]] = {}
    todo = [root]
    while todo:
        step = todo.pop()
        # A download needs no sandbox: its hash says what it is.
        if step not in logs and not graph[step].is_fixed:
            # Another derivation has built the output if only the way of a download differs.
            built_by = (derivers[out] for out in graph[step].outputs.values() if out in derivers)
            logs[step] = _read_log(next(built_by, step))
            todo += graph[step].inputs
    # A step that was built again later than its user: its log is not that of the build in use.
    rebuilt = {
        used
        for step, (_, ended) in logs.items()
        for used in graph[step].inputs
        if used in logs and logs[used][1] > ended
    }
    off, unknown = set(), set()
    for step, (state, _) in logs.items():
        if state == OFF or "__noChroot" in graph[step].environment:
            off.add(short_name(step))
        elif state == UNKNOWN or step in rebuilt or copied & {*graph[step].outputs.values()}:
            unknown.add(short_name(step))
    return off, unknown


def _read_log(derivation: str) -> tuple[str, float]:
    """Return what a step observed in its last build here, and the second in which that ended."""
    name = Path(derivation).name
    folder = Path(os.environ.get("NIX_LOG_DIR", "/nix/var/log/nix")) / "drvs" / name[:2]
    for file, open_log in ((folder / f"{name[2:]}.bz2", bz2.open), (folder / name[2:], open)):
        try:
            with open_log(file, "rb") as opened:
                found = _OBSERVED.match(opened.read(200))
            return found[1].decode() if found else UNKNOWN, file.stat().st_mtime // 1
        except (OSError, EOFError):
            continue
    return UNKNOWN, 0


def _read_state(variant: Path) -> Sandbox:
    """Return the recorded state of a copied variant, if the record is about these bytes."""
    file = variant.parent / STATES / variant.name
    try:
        record = read_file(file).decode(errors="replace")
    except OSError:
        record = ""
    for state in (ON, OFF):
        if record == format_state(state, variant):
            return Sandbox(state, [f"the record {file}"])
    return Sandbox(UNKNOWN, ["no record of this build"])


def format_state(state: str, variant: Path) -> str:
    """Return the record of a state. The metadata has the hashes of all files of a variant."""
    return f"{state} {hash_file(variant / METADATA)}\n"


def describe_states(states: Mapping[str, str]) -> str:
    """Return a line for each state; the variants are named if there are several states."""
    lines = []
    for state in (ON, OFF, UNKNOWN):
        if names := sorted(name for name, found in states.items() if found == state):
            shown = f" ({', '.join(names)})" if len(names) < len(states) else ""
            lines.append(f"Sandbox: {state}{shown}")
    return "\n".join(lines)


def require_sandbox(states: Mapping[str, Sandbox]) -> None:
    """Raise KernelBuilderError if a variant was built without the sandbox.

    An unknown state counts as well where this machine's store was asked.
    """
    found = {
        OFF: "built without Nix's sandbox",
        UNKNOWN: "fetched, built on another machine, built again since, or built without a log",
    }
    want = "steps that all ran in Nix's sandbox, so that nothing of the machine got in"
    fix = (
        "set 'sandbox = true' (install.sh does), remove `result` and build/, let "
        "nix-collect-garbage take the old build, and build again without a cache "
        "(--option substitute false); --allow-unsandboxed uploads it and says what is known"
    )
    problems = []
    for name, each in sorted(states.items()):
        if each.state == OFF or (each.state == UNKNOWN and each.is_in_store):
            reasons = ", ".join(shorten(each.reasons, STEPS_SHOWN))
            problems.append(Problem(name, f"{found[each.state]}: {reasons}", want, fix))
    if problems:
        count = f"{len(problems)} of {len(states)} variants"
        raise KernelBuilderError(f"{count} were not seen to be built in a sandbox", problems)
