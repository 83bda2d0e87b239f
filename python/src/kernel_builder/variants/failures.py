"""Tells of steps that failed: what is the same in several of them, once.

A unit with device code is a step for each target, and its mistake is one in all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from kernel_builder.messages.errors import Problem, parse_problems
from kernel_builder.nix.errors import MORE_SPACE, is_full, name_full_folders
from kernel_builder.nix.log import NixLog, short_name

# Units that failed alike are named up to this number.
NAMES_SHOWN: Final = 4

# A target, and what else of a message is one target's or one derivation's own: how it is called
# to the preprocessor, a line of the assembly that was made for it, a path in the store.
_TARGET: Final = r"sm_\d+[a-z]?"
_OWN = re.compile(
    rf"\b{_TARGET}\b|\bcompute_\d+[a-z]?\b|\bSm\d+[a-z]?\b|(?<=__CUDA_ARCH__=)\d+"
    r"|(?<=\.ptx, line )\d+|/nix/store/[0-9a-z]{32}-[^\s']*"
)
_STEP = re.compile(rf"(?P<unit>.+)[.](?P<target>{_TARGET})")
# Nix's lines when no builder is of the system that is asked for.
_REQUIRED = re.compile(r"^required \(system, features\): \(([^,]+),", re.MULTILINE)
_OFFERED = re.compile(r"^\(([^,()]+), \d+, ", re.MULTILINE)
# What an older and a newer Nix say where they can make no sandbox.
_NO_SANDBOX = re.compile(r"cloning builder process|namespaces that are required for sandboxing")

Failures = Mapping[str, Sequence[str]]


def describe_failures(failed: Failures) -> list[Problem]:
    """Return a problem for each failure; `failed` has what each derivation said.

    Those that differ only in what they are compiled for are one, in the words of the first.
    """
    alike: dict[tuple[str, ...], list[str]] = {}
    for derivation, lines in failed.items():
        alike.setdefault(_without_own(lines) or (derivation,), []).append(derivation)
    return [
        problem
        for derivations in alike.values()
        for problem in _describe(derivations, "\n".join(failed[derivations[0]]))
    ]


def _describe(derivations: Sequence[str], text: str) -> list[Problem]:
    """Return the problems that a check wrote into its log, or else one with the end of the log."""
    names = _name_some(derivations)
    log = f"the whole log: nix-store --read-log {derivations[0]}"
    if own := parse_problems(text):
        return [
            replace(each, at="\n".join([*names, each.at]), fix=f"{each.fix}\n({log})")
            for each in own
        ]
    if is_full(text):
        names.append(f"disk of {name_full_folders()}")
        return [
            Problem("\n".join(names), text, "room for the files of a build", f"{MORE_SPACE}; {log}")
        ]
    found = text or "a failure without a message"
    return [Problem("\n".join(names), found, "a step that succeeds", f"correct the cause; {log}")]


def name_steps(derivations: Iterable[str]) -> list[str]:
    """Return what steps are called: the targets of one unit behind it, `k-a.cu (sm_80, sm_90)`."""
    targets: dict[str, list[str]] = {}
    for name in map(short_name, derivations):
        step = _STEP.fullmatch(name)
        of_unit = targets.setdefault(step["unit"] if step else name, [])
        of_unit += [step["target"]] if step else []
    return [
        f"{unit} ({', '.join(sorted(names, key=_in_order))})" if names else unit
        for unit, names in targets.items()
    ]


def _without_own(lines: Iterable[str]) -> tuple[str, ...]:
    return tuple(_OWN.sub("*", line) for line in lines)


def _in_order(target: str) -> tuple[int, str]:
    number = "".join(filter(str.isdigit, target))
    return int(number), target


def _name_some(derivations: Sequence[str]) -> list[str]:
    names = name_steps(derivations)
    rest = len(names) - NAMES_SHOWN
    return names if rest <= 0 else [*names[:-rest], f"and {rest} more with the same failure"]


def explain_sandbox(log: NixLog) -> Problem | None:
    """Return that Nix could make no sandbox, if that is how it ended."""
    said = [error for error in log.errors if _NO_SANDBOX.search(error)]
    if not said:
        return None
    return Problem(
        at="the sandbox of Nix",
        found=said[0].strip(),
        want="the right to make namespaces, which a container may lack",
        fix="give it that right (docs/troubleshooting/sandbox.md), or ask for a build without a "
        "sandbox: --option sandbox false",
    )


def explain_builders(log: NixLog) -> Problem | None:
    """Return why no machine took a build, if that is how it ended."""
    if not any("unable to start any build" in error.lower() for error in log.errors):
        return None
    said = "\n".join(log.warnings)
    wanted = ", ".join(dict.fromkeys(_REQUIRED.findall(said))) or "this machine's system"
    offered = ", ".join(dict.fromkeys(_OFFERED.findall(said))) or "no system"
    silent = [error for error in log.errors if error.startswith("cannot build on ")]
    return Problem(
        at="builders",
        found="\n".join([f"machines for {offered}", *dict.fromkeys(silent)]),
        want=f"one for {wanted} that answers, or this machine with --max-jobs 1 or more",
        fix="correct builders in nix.conf, or --option builders 'ssh-ng://HOST SYSTEM' "
        "(docs/machines.md)",
    )
