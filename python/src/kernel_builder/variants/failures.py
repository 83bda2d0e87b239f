"""Turns failed steps into problems. The same failure of several steps is one problem.

A unit with device code has a step for each target, and its mistake is the same in all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from kernel_builder.messages.errors import Problem, parse_problems
from kernel_builder.messages.lists import shorten
from kernel_builder.nix.log import short_name

NAMES_SHOWN: Final = 4
_TARGET: Final = r"sm_\d+[a-z]?"
# Text that differs between the targets of one unit: target, line of its assembly, store path.
_VARYING = re.compile(
    rf"\b{_TARGET}\b|\bcompute_\d+[a-z]?\b|\bSm\d+[a-z]?\b|(?<=__CUDA_ARCH__=)\d+"
    r"|(?<=\.ptx, line )\d+|/nix/store/[0-9a-z]{32}-[^\s']*"
)
_STEP = re.compile(rf"(?P<unit>.+)[.](?P<target>{_TARGET})")

# The lines that tell why each failed derivation failed.
Failures = Mapping[str, Sequence[str]]


def describe_failures(failed: Failures) -> list[Problem]:
    """Return a problem for each failure, in the words of its first step."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for derivation, lines in failed.items():
        key = tuple(_VARYING.sub("*", line) for line in lines) or (derivation,)
        alike.setdefault(key, []).append(derivation)
    return [
        problem
        for derivations in alike.values()
        for problem in _describe_failure(derivations, "\n".join(failed[derivations[0]]))
    ]


def _describe_failure(derivations: Sequence[str], text: str) -> list[Problem]:
    """Return the problems that a check wrote into the log, or else one with the log's end."""
    names = shorten(name_steps(derivations), NAMES_SHOWN)
    log = f"the whole log: nix-store --read-log {derivations[0]}"
    if problems := parse_problems(text):
        return [
            replace(each, at="\n".join([*names, each.at]), fix=f"{each.fix}\n({log})")
            for each in problems
        ]
    found = text or "a failure without a message"
    return [Problem("\n".join(names), found, "a step that succeeds", f"correct the cause; {log}")]


def name_steps(derivations: Iterable[str]) -> list[str]:
    """Return the names of steps, the targets of one unit together: `k-a.cu (sm_80, sm_90a)`."""
    targets: dict[str, list[str]] = {}
    for name in map(short_name, derivations):
        step = _STEP.fullmatch(name)
        of_unit = targets.setdefault(step["unit"] if step else name, [])
        of_unit += [step["target"]] if step else []
    return [
        f"{unit} ({', '.join(sorted(names, key=_number_of))})" if names else unit
        for unit, names in targets.items()
    ]


def _number_of(target: str) -> int:
    return int("".join(filter(str.isdigit, target)))
