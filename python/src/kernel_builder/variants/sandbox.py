"""Whether what was built was built in Nix's sandbox, which its bytes do not tell.

Steps that were built without one are remembered, and what is made of them counts as they do. A copy
of variants has it in files beside them, since it may go to another machine.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from kernel_builder import nix
from kernel_builder.machine.files import replace_text
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.nix.derivations import Graph, list_closure
from kernel_builder.nix.log import Span

# Beside the variants of a copy: a file for each, since copies of several machines are put together.
FOLDER: Final = "sandbox"
_IN_STORE: Final = re.compile(r"[0-9a-z]{32}-")
ON, OFF, UNKNOWN = STATES = ("on", "off", "unknown")


def _memory() -> Path:
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "kernel-builder" / "built-without-sandbox"


def _read_memory() -> str:
    try:
        return _memory().read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""


def _remembered() -> set[str]:
    """Return the paths that were built without a sandbox and are in the store still."""
    return {path for path in _read_memory().splitlines() if Path(path).exists()}


def remember_builds(
    graph: Graph, roots: Iterable[str], spans: Mapping[str, Span], *, is_on: bool
) -> None:
    """Remember what this machine builds, if without a sandbox (`is_on`), and what is made of it.

    `spans` are those of the builds. What remote builders do, their own settings say. Called before
    a build as if all of it had been built here, and again afterwards: what was built by a command
    that was killed is in the store as well.
    """

    def outputs(derivations: Iterable[str]) -> set[str]:
        return {path for each in derivations for path in graph[each].outputs.values()}

    here = [each for each, span in spans.items() if each in graph and not span.where]
    known = _remembered() - outputs(each for each in spans if each in graph)
    known |= set() if is_on else outputs(here)
    for root in roots:
        if not known.isdisjoint(outputs(list_closure(graph, root))):
            known = known | outputs([root])
    text = "".join(f"{path}\n" for path in sorted(known))
    if text != _read_memory():
        _memory().parent.mkdir(parents=True, exist_ok=True)
        replace_text(_memory(), text)


def find_states(variants: Mapping[str, Path]) -> dict[str, str]:
    """Return of each variant, by its name, one of `STATES`; the folders are what links lead to."""
    remembered, is_on = _remembered(), None
    states = {}
    for name, folder in variants.items():
        if not _IN_STORE.match(folder.name):
            states[name] = _read(folder.parent / FOLDER / name)
            continue
        is_on = nix.has_sandbox() if is_on is None else is_on
        states[name] = ON if is_on and str(folder) not in remembered else OFF
    return states


def _read(file: Path) -> str:
    try:
        state = file.read_text(encoding="utf-8").strip()
    except OSError:
        return UNKNOWN
    return state if state in STATES else UNKNOWN


def withdraw_states(target: Path, states: Mapping[str, str]) -> None:
    """Take away what is said of variants that are to be replaced, where it will not be so."""
    for name, state in states.items():
        file = target / FOLDER / name
        if _read(file) != state:
            file.unlink(missing_ok=True)


def write_states(target: Path, states: Mapping[str, str]) -> None:
    """Write what is known of variants that were copied into a folder."""
    if states:
        (target / FOLDER).mkdir(exist_ok=True)
    for name, state in states.items():
        (target / FOLDER / name).write_text(f"{state}\n", encoding="utf-8")


def describe(states: Mapping[str, str]) -> str:
    """Return a line for each state, with the variants if there is more than one of them."""
    found = {each: [n for n, state in sorted(states.items()) if state == each] for each in STATES}
    lines = {state: names for state, names in found.items() if names}
    if len(lines) == 1:
        return f"Sandbox: {next(iter(lines))}"
    return "\n".join(f"Sandbox: {state} ({', '.join(names)})" for state, names in lines.items())


def require_sandbox(states: Mapping[str, str]) -> None:
    """Raise if a variant was built without one."""
    outside: Sequence[str] = [name for name, state in states.items() if state == OFF]
    if outside:
        problem = Problem(
            at="\n".join(outside),
            found="built without Nix's sandbox, by a step of its own or one that it was made with",
            want="a build into which nothing of the machine can have got",
            fix="set 'sandbox = true' and 'sandbox-fallback = false' (install.sh does), "
            "let nix-collect-garbage take the old build, and build again; "
            "--allow-unsandboxed uploads it as it is",
        )
        headline = f"{len(outside)} of {len(states)} variants were built without a sandbox"
        raise KernelBuilderError(headline, [problem])
