"""What one evaluation tells about a kernel: its variants, where they are built, its warnings.

This `manifest` is read as `lib/outputs/data/manifest.nix` gives it. Of a variant that can be built
here there are `drv` and `out`, if it was asked for; of any other, `unavailable` says why it cannot.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kernel_builder.messages.errors import Problem, UsageError, render
from kernel_builder.messages.terminal import complain

Manifest = Mapping[str, Any]
Variant = Mapping[str, Any]


def describe_part(variant: Variant) -> str:
    """Return what a variant is built for, if that is a part of what it has as a whole."""
    return f"partial: {' '.join(targets)}" if (targets := variant.get("partial")) else ""


def is_bundled(variant: Variant) -> bool:
    """Say whether bundles have it; the others are built where they are asked for by name."""
    return bool(variant.get("bundle", True))


def collect_warnings(variants: Iterable[Variant]) -> list[Problem]:
    """Return the warnings of some variants, each once for all that it is true of."""
    warnings = (each for variant in variants for each in variant.get("warnings", ()))
    return list(dict.fromkeys(Problem(**each) for each in warnings))


def show_warnings(manifest: Manifest, variants: Iterable[Variant]) -> None:
    """Print what the evaluation of these variants warns of."""
    for text in manifest.get("warnings", ()):
        complain("warning", text)
    if problems := collect_warnings(variants):
        complain("warning", render(f"{manifest['name']} is built, but look at this", problems))


def select_variants(
    manifest: Manifest, names: Sequence[str], backends: Sequence[str]
) -> list[Variant]:
    """Return the variants that were asked for, or raise if a name or a backend is none."""
    variants: Sequence[Variant] = manifest["variants"]
    known = [variant["name"] for variant in variants]
    known_backends = list(dict.fromkeys(variant["backend"] for variant in variants))
    problems = [
        *find_unknown("--variant", names, known),
        *find_unknown("--backend", backends, known_backends),
    ]
    if problems:
        raise UsageError(
            f"{manifest['name']} has no such variants on {manifest['system']}", problems
        )
    return [variant for variant in variants if variant["asked"]]


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
