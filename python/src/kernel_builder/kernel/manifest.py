"""Read the manifest of a kernel: its variants, their derivations, and warnings.

`lib/outputs/data/manifest.nix` describes the fields. A requested variant has `drv` and `out` if it
can be built here, else `unavailable` with the reason.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from kernel_builder.kernel.folder import Kernel
from kernel_builder.messages.errors import (
    Problem,
    UsageError,
    find_unknown,
    parse_problems,
    render,
    shorten,
)
from kernel_builder.messages.terminal import complain

# The number of places of a warning that are listed.
PLACES_SHOWN: Final = 3

Manifest = Mapping[str, Any]
Variant = Mapping[str, Any]


def collect_warnings(kernel: Kernel, manifest: Manifest) -> list[Problem]:
    """Return the warnings of an evaluation with their places, one problem for each reason.

    A text in `warnings` that has no problem's form comes as a problem that is only `found`.
    """
    found: list[Problem] = []
    for text in manifest.get("warnings", ()):
        found += parse_problems(text) or [Problem("", text, "", "")]
    for variant in manifest["variants"]:
        # A missing import check asks for no action. The table and --explain name it.
        told = {variant["name"]} if variant.get("notImported") else set()
        if variant.get("asked", True):
            found += [
                Problem.read(each) for each in variant.get("warnings", ()) if each["at"] not in told
            ]
    alike: dict[tuple[str, str, str], list[Problem]] = {}
    for each in map(kernel.locate, dict.fromkeys(found)):
        alike.setdefault((each.found, each.want, each.fix), []).append(each)
    return [
        replace(same[0], at="\n".join(shorten([each.at for each in same], PLACES_SHOWN)))
        for same in alike.values()
    ]


def find_missing_keys(kernel: Kernel) -> list[Problem]:
    """Return missing keys that only publishing needs."""
    if "license" in kernel.toml.get("general", {}):
        return []
    want = "the license by the Hub's name for it, such as apache-2.0 or mit"
    fix = 'add license = "…" to [general]'
    return [kernel.locate(Problem("general.license", "no license", want, fix))]


def show_warnings(name: str, warnings: Sequence[Problem]) -> None:
    """Print the warnings of an evaluation."""
    for text in [each.found for each in warnings if not each.at]:
        complain("warning", text)
    if problems := [each for each in warnings if each.at]:
        complain("warning", render(f"{name} can be built, but look at this", problems))


def require_known(
    manifests: Sequence[Manifest], names: Sequence[str], backends: Sequence[str]
) -> None:
    """Raise UsageError if no kernel has a variant of this name or of this backend."""
    variants = [variant for manifest in manifests for variant in manifest["variants"]]
    known = list(dict.fromkeys(variant["name"] for variant in variants))
    known_backends = list(dict.fromkeys(variant["backend"] for variant in variants))
    problems = [
        *find_unknown("--variant", names, known),
        *find_unknown("--backend", backends, known_backends),
    ]
    if problems and manifests:
        who = manifests[0]["name"] if len(manifests) == 1 else f"none of {len(manifests)} kernels"
        has = "has no such variants" if len(manifests) == 1 else "has such variants"
        raise UsageError(f"{who} {has} on {manifests[0]['system']}", problems)
