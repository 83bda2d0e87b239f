"""What one evaluation tells about a kernel: its variants, where they are built, its warnings."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kernel_builder.messages.errors import Problem, UsageError


@dataclass(frozen=True)
class Built:
    """Something that can be built: the derivation and what comes out."""

    drv: str
    out: str


@dataclass(frozen=True)
class Variant:
    """One variant; without `built` it cannot be built here, and `unavailable` says why."""

    name: str
    backend: str
    built: Built | None
    unavailable: str
    warnings: tuple[Problem, ...]
    # Whether bundles have it; the others are built where they are asked for by name.
    bundle: bool = True
    # What its compiles tell, once they are done.
    reports: tuple[str, ...] = ()
    # Why the build does not import it, if it does not.
    not_imported: str = ""


@dataclass(frozen=True)
class Manifest:
    """A kernel on one system."""

    name: str
    system: str
    bundle: Built | None
    backend_bundles: Mapping[str, Built]
    variants: tuple[Variant, ...]
    warnings: tuple[str, ...]


def _read_built(data: Any) -> Built | None:
    return Built(data["drv"], data["out"]) if data and data.get("drv") else None


def read_manifest(data: Any) -> Manifest:
    """Return the manifest that `nix eval` printed."""
    variants = []
    for entry in data["variants"]:
        warnings = tuple(
            Problem(each["at"], each["found"], each["want"], each["fix"])
            for each in entry.get("warnings", [])
        )
        unavailable = entry.get("unavailable") or ""
        built = None if unavailable else _read_built(entry)
        reports = tuple(entry.get("reports", []))
        variants.append(
            Variant(
                entry["name"],
                entry["backend"],
                built,
                unavailable,
                warnings,
                entry.get("bundle", True),
                reports,
                entry.get("notImported") or "",
            )
        )
    bundles = {backend: _read_built(each) for backend, each in data["backendBundles"].items()}
    return Manifest(
        name=data["name"],
        system=data["system"],
        bundle=_read_built(data.get("bundle")),
        backend_bundles={backend: each for backend, each in bundles.items() if each},
        variants=tuple(variants),
        warnings=tuple(data.get("warnings", [])),
    )


def select_variants(
    manifest: Manifest, names: Sequence[str], backends: Sequence[str]
) -> list[Variant]:
    """Return the variants that were asked for; both lists empty means all that bundles have."""
    known = [variant.name for variant in manifest.variants]
    known_backends = list(dict.fromkeys(variant.backend for variant in manifest.variants))
    problems = [
        *_unknown("--variant", names, known),
        *_unknown("--backend", backends, known_backends),
    ]
    if problems:
        raise UsageError(f"{manifest.name} has no such variants on {manifest.system}", problems)
    every = not names and not backends
    return [
        variant
        for variant in manifest.variants
        if variant.name in names or (variant.bundle and (every or variant.backend in backends))
    ]


def _unknown(option: str, asked: Sequence[str], known: Sequence[str]) -> list[Problem]:
    problems = []
    for name in asked:
        if name in known:
            continue
        close = difflib.get_close_matches(name, known, n=1)
        problems.append(
            Problem(
                at=option,
                found=f'"{name}"',
                want="one of " + ", ".join(f'"{each}"' for each in known) if known else "nothing",
                fix=f'did you mean "{close[0]}"?' if close else "choose one that there is",
            )
        )
    return problems
