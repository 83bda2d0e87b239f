"""Read the manifest of a kernel: its variants, their derivations, and warnings.

`lib/outputs/data/manifest.nix` describes the fields. A requested variant has `drv` and `out` if it
can be built here, else `unavailable` with the reason.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from kernel_builder.kernel.folder import Kernel
from kernel_builder.messages import errors
from kernel_builder.messages.errors import Problem
from kernel_builder.messages.terminal import complain

# The number of places of a warning that are listed.
PLACES_SHOWN: Final = 3
# A line of a file, as checks, gcc and Python write it, or as nvcc does.
_PLACE: Final = re.compile(r"(?<![^\s:()])([^\s:()]+)[:(](\d+)")

Manifest = Mapping[str, Any]
Variant = Mapping[str, Any]
# Why the kernel does not have some variants of a backend.
Reason = Mapping[str, Any]


def collect_warnings(kernel: Kernel, manifest: Manifest) -> list[Problem]:
    """Return the warnings of an evaluation with their places, one problem for each reason.

    A text in `warnings` that has no problem's form comes as a problem that is only `found`.
    """
    found: list[Problem] = []
    # A flake may change a copy of the folder, which then is a tree of its own.
    if (place := manifest.get("place")) and not kernel.is_at(place):
        fix = "let `path` of flake.nix be this folder, or work in that one"
        found.append(Problem("flake.nix", f"the kernel in {place}", str(kernel.folder), fix))
    for text in manifest.get("warnings", ()):
        found += errors.parse_problems(text) or [Problem("", text, "", "")]
    for variant in (each for each in manifest["variants"] if each.get("asked", True)):
        problems = map(Problem.read, variant.get("warnings", ()))
        # A missing import check asks for no action. The table and --explain name it.
        hidden = variant["name"] if variant.get("notImported") else None
        found += [each for each in problems if each.at != hidden]
    alike: dict[tuple[str, str, str], list[Problem]] = {}
    for each in map(kernel.locate, dict.fromkeys(found)):
        alike.setdefault((each.found, each.want, each.fix), []).append(each)
    places = (errors.shorten([each.at for each in same], PLACES_SHOWN) for same in alike.values())
    return [replace(same[0], at="\n".join(at)) for same, at in zip(alike.values(), places)]


def show_warnings(name: str, warnings: Sequence[Problem], when: str = "before you build") -> None:
    """Print the warnings of an evaluation."""
    for text in [each.found for each in warnings if not each.at]:
        complain("warning", text)
    if problems := [each for each in warnings if each.at]:
        complain("warning", errors.render(f"look at this {when} {name}", problems))


def drop_repeated(warnings: Sequence[Problem], folder: Path, texts: Sequence[str]) -> list[Problem]:
    """Return the warnings about places and files of a kernel that no error is about."""
    text = "\n".join(texts).replace(f"{folder}/", "")
    named = {f"{name}:{line}" for name, line in _PLACE.findall(text)}
    left = []
    for each in warnings:
        places = [at for at in each.at.split("\n") if at.removeprefix(f"{folder}/") not in named]
        if places if each.at else each.file.removeprefix(f"{folder}/") not in text:
            left.append(replace(each, at="\n".join(places)))
    return left


def read_left_out(kernel: Kernel) -> list[Reason]:
    """Return the reasons why a kernel does not have other variants; an older flake states none."""
    return list(kernel.evaluate("manifest", "manifest: manifest.leftOut or [ ]"))


def find_nearest(reasons: Sequence[Reason]) -> dict[str, Reason]:
    """Return the nearest reason for each backend, which is its first one."""
    return {each["backend"]: each for each in reversed(reasons)}


def explain_absence(reasons: Sequence[Reason]) -> list[Reason]:
    """Return why a kernel has no variant at all: one reason for each backend that it lists."""
    return [each for each in find_nearest(reasons).values() if each.get("kind") != "backends"]


def explain_unknown(
    option: str, words: Sequence[str], known: Sequence[str], reasons: Sequence[Reason]
) -> list[Problem]:
    """Return a problem for each word of an option that names nothing, with the reason.

    `reasons` are those for which the kernel does not have other variants.
    """
    problems = []
    for name in words:
        if name in known:
            continue
        nearest = find_nearest(reasons).get(name)
        named = [nearest] if nearest else [each for each in reasons if name in each["names"]]
        problems += [
            Problem(option, f'"{name}": {each["found"]}', each["want"], each["fix"])
            for each in named or (() if known else explain_absence(reasons))
        ] or errors.find_unknown(option, [name], known)
    return list(dict.fromkeys(problems))


def require_known(
    manifests: Sequence[Manifest], names: Sequence[str], backends: Sequence[str]
) -> None:
    """Raise errors.UsageError if no kernel has a variant of this name or of this backend."""
    variants = [variant for manifest in manifests for variant in manifest["variants"]]
    known = list(dict.fromkeys(variant["name"] for variant in variants))
    known_backends = list(dict.fromkeys(variant["backend"] for variant in variants))
    reasons = [reason for manifest in manifests for reason in manifest.get("leftOut", ())]
    problems = explain_unknown("--variant", names, known, reasons)
    problems += explain_unknown("--backend", backends, known_backends, reasons)
    if problems and manifests:
        who = f"{manifests[0]['name']} has no such variants"
        if len(manifests) > 1:
            who = f"none of {len(manifests)} kernels has such variants"
        raise errors.UsageError(f"{who} on {manifests[0]['system']}", problems)
