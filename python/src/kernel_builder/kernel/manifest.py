"""What one evaluation tells about a kernel: its variants, where they are built, its warnings."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kernel_builder.messages.errors import Problem, UsageError, render
from kernel_builder.messages.terminal import complain


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


def _read_variant(data: Any) -> Variant:
    unavailable = data.get("unavailable") or ""
    return Variant(
        name=data["name"],
        backend=data["backend"],
        built=None if unavailable else _read_built(data),
        unavailable=unavailable,
        warnings=tuple(Problem(**each) for each in data.get("warnings", [])),
        bundle=data.get("bundle", True),
        reports=tuple(data.get("reports", [])),
        not_imported=data.get("notImported") or "",
    )


def read_manifest(data: Any) -> Manifest:
    """Return the manifest that `nix eval` printed."""
    bundles = {backend: _read_built(each) for backend, each in data["backendBundles"].items()}
    return Manifest(
        name=data["name"],
        system=data["system"],
        bundle=_read_built(data.get("bundle")),
        backend_bundles={backend: each for backend, each in bundles.items() if each},
        variants=tuple(map(_read_variant, data["variants"])),
        warnings=tuple(data.get("warnings", [])),
    )


def collect_warnings(variants: Sequence[Variant]) -> list[Problem]:
    """Return the warnings of some variants, each once for all that it is true of."""
    return list(dict.fromkeys(warning for variant in variants for warning in variant.warnings))


def show_warnings(manifest: Manifest, variants: Sequence[Variant]) -> None:
    """Print what the evaluation of these variants warns of."""
    for text in manifest.warnings:
        complain("warning", text)
    if problems := collect_warnings(variants):
        complain("warning", render(f"{manifest.name} is built, but look at this", problems))


def select_variants(
    manifest: Manifest, names: Sequence[str], backends: Sequence[str]
) -> list[Variant]:
    """Return the variants that were asked for; both lists empty means all that bundles have."""
    known = [variant.name for variant in manifest.variants]
    known_backends = list(dict.fromkeys(variant.backend for variant in manifest.variants))
    problems = [
        *find_unknown("--variant", names, known),
        *find_unknown("--backend", backends, known_backends),
    ]
    if problems:
        raise UsageError(f"{manifest.name} has no such variants on {manifest.system}", problems)
    every = not names and not backends
    return [
        variant
        for variant in manifest.variants
        if variant.name in names or (variant.bundle and (every or variant.backend in backends))
    ]


def find_unknown(option: str, asked: Iterable[str], known: Sequence[str]) -> list[Problem]:
    """Return a problem for each word of an option that names nothing, with what is nearest."""
    problems = []
    for name in asked:
        if name not in known:
            close = difflib.get_close_matches(name, known, n=1)
            want = "one of " + ", ".join(f'"{each}"' for each in known) if known else "nothing"
            fix = f'did you mean "{close[0]}"?' if close else "choose one that there is"
            problems.append(Problem(option, f'"{name}"', want, fix))
    return problems
