"""Says whether what was built was built in Nix's sandbox: only what its steps observed counts.

Every step of kernel-builder first looks where it runs (pkgs/bootstrap/make-step.nix) and writes it
into its log, which Nix keeps in the store's own folder. So the builds of other users and of plain
`nix build` are known as well, and what a binary cache or another machine gave is not. A copy of
variants has a file for each of them, which holds for these bytes alone.
"""

from __future__ import annotations

import bz2
import hashlib
import os
import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kernel_builder import nix
from kernel_builder.machine.files import write_below
from kernel_builder.machine.tree import read_file
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.lists import shorten
from kernel_builder.nix.derivations import DEFAULT_STORE, Graph, parse_graph
from kernel_builder.nix.log import short_name
from kernel_builder.variants.result import METADATA

ON, OFF, UNKNOWN = "on", "off", "unknown"
# The folder beside the variants of a copy. A file for each: those of machines are put together.
STATES: Final = "sandbox"
STEPS_SHOWN: Final = 5
# The first line of a step's log, as pkgs/bootstrap/make-step.nix prints it.
_OBSERVED: Final = re.compile(rb'@nix \{"action":"setPhase","phase":"sandbox: (on|off)"\}')


@dataclass(frozen=True)
class Sandbox:
    """A state, and why it is not `on`; `is_in_store` says that it was found out now, here."""

    state: str
    reasons: Sequence[str] = ()
    is_in_store: bool = False


def find_states(variants: Mapping[str, Path]) -> dict[str, Sandbox]:
    """Return what is known of each variant, by its name; the folders are what links lead to."""
    store = Path(DEFAULT_STORE)
    in_store = {
        name: str(store / folder.relative_to(store).parts[0])
        for name, folder in variants.items()
        if store in folder.parents
    }
    found = _observe(sorted(set(in_store.values()))) if in_store else {}
    return {
        name: found[in_store[name]] if name in in_store else _read(folder)
        for name, folder in variants.items()
    }


def _observe(paths: Sequence[str]) -> dict[str, Sandbox]:
    """Return what the steps observed that these paths of the store were built with."""
    derivers = nix.find_derivers(paths)
    here = [deriver for deriver in derivers.values() if deriver and Path(deriver).exists()]
    graph = parse_graph(nix.show_derivations(here, recursive=True)) if here else {}
    outputs = {path for each in graph.values() for path in each.outputs.values()}
    elsewhere = nix.find_copied(outputs)
    built = nix.find_derivers(sorted(outputs - nix.find_invalid(sorted(outputs))))
    # Somebody who turns it off, or lets builds say so themselves, claims nothing.
    is_set = nix.has_sandbox()
    states = {}
    for path, deriver in derivers.items():
        off: Sequence[str] = []
        unknown: Sequence[str] = [path]
        if deriver in graph:
            off, unknown = _judge(graph, deriver, elsewhere, built)
        if not is_set:
            unknown = [*unknown, "Nix's setting `sandbox`, which is not `true`"]
        state = OFF if off else UNKNOWN if unknown else ON
        states[path] = Sandbox(state, off or unknown, is_in_store=True)
    return states


def _judge(
    graph: Graph, root: str, elsewhere: Set[str], built: Mapping[str, str]
) -> tuple[list[str], list[str]]:
    """Return the steps that ran outside of a sandbox, and those of which it is not known.

    `built` has the derivation that built each output. It is another one than the graph's where
    only the way differs in which a source is fetched: the output has the same path then.
    """
    logs = {}
    for path in _list_steps(graph, root):
        derivers = [built[out] for out in graph[path].outputs.values() if out in built]
        logs[path] = _read_log(next(iter(derivers), path))
    # Built once more since: the log is not that of the build that was used.
    again = {
        used
        for path, (_, ended) in logs.items()
        for used in graph[path].inputs
        if used in logs and logs[used][1] > ended
    }
    off, unknown = set(), set()
    for path, (state, _) in logs.items():
        if state == OFF or "__noChroot" in graph[path].environment:
            off.add(short_name(path))
        elif state == UNKNOWN or path in again or elsewhere & set(graph[path].outputs.values()):
            unknown.add(short_name(path))
    return sorted(off), sorted(unknown)


def _list_steps(graph: Graph, root: str) -> set[str]:
    """Return the derivations whose bytes no hash fixes, down to those that one does."""
    steps: set[str] = set()
    todo = [root]
    while todo:
        path = todo.pop()
        if path not in steps and "outputHash" not in graph[path].environment:
            steps.add(path)
            todo += graph[path].inputs
    return steps


def _read_log(derivation: str) -> tuple[str, int]:
    """Return what a step observed when it was last built here, and when that ended."""
    name = Path(derivation).name
    folder = Path(os.environ.get("NIX_LOG_DIR", "/nix/var/log/nix")) / "drvs" / name[:2]
    for file, opens in ((f"{name[2:]}.bz2", bz2.open), (name[2:], open)):
        try:
            with opens(folder / file, "rb") as opened:
                found = _OBSERVED.match(opened.read(200))
            return found[1].decode() if found else UNKNOWN, int((folder / file).stat().st_mtime)
        except (OSError, EOFError):
            continue
    return UNKNOWN, 0


def _mark(variant: Path) -> str:
    """Return what a recorded state is bound to: the metadata, which has the hashes of all files."""
    return hashlib.sha256(read_file(variant / METADATA)).hexdigest()


def _read(variant: Path) -> Sandbox:
    nobody = Sandbox(UNKNOWN, ["nobody recorded it for this build"])
    try:
        words = read_file(variant.parent / STATES / variant.name).decode().split()
    except (OSError, UnicodeDecodeError):
        return nobody
    if len(words) != 2 or words[0] not in (ON, OFF, UNKNOWN) or words[1] != _mark(variant):
        return nobody
    return Sandbox(words[0], [f"so it is recorded in {variant.parent / STATES}"])


def write_states(target: Path, states: Mapping[str, str]) -> None:
    """Write what is known of variants that were copied into a folder."""
    for name, state in states.items():
        write_below(target, f"{STATES}/{name}", f"{state} {_mark(target / name)}\n".encode())


def describe(states: Mapping[str, Sandbox]) -> str:
    """Return a line for each state, with the variants if there is more than one of them."""
    lines: dict[str, list[str]] = {}
    for each in (ON, OFF, UNKNOWN):
        if names := sorted(name for name, found in states.items() if found.state == each):
            lines[each] = names
    if len(lines) == 1:
        return f"Sandbox: {next(iter(lines))}"
    return "\n".join(f"Sandbox: {state} ({', '.join(names)})" for state, names in lines.items())


def require_sandbox(states: Mapping[str, Sandbox]) -> None:
    """Raise if a variant was built without one, or if that is not known of one's own store."""
    problems = [
        Problem(
            at=name,
            found=_FOUND[found.state] + ": " + ", ".join(shorten(found.reasons, STEPS_SHOWN)),
            want="steps that all ran in Nix's sandbox, so that nothing of the machine got in",
            fix="set 'sandbox = true' (install.sh does), remove `result` and build/, "
            "let nix-collect-garbage take the old build, and build again without a cache "
            "(--option substitute false); --allow-unsandboxed uploads it and says what is known",
        )
        for name, found in sorted(states.items())
        if found.state == OFF or (found.state == UNKNOWN and found.is_in_store)
    ]
    if problems:
        count = f"{len(problems)} of {len(states)} variants"
        headline = f"{count} were not seen to be built in a sandbox"
        raise KernelBuilderError(headline, problems)


_FOUND: Final = {
    OFF: "built without Nix's sandbox",
    UNKNOWN: "fetched, built on another machine, built again since, or built without a log",
}
