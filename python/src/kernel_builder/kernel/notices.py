"""Warnings of an evaluation: what a variant leaves out, once for all variants it is true of."""

from __future__ import annotations

from collections.abc import Sequence

from kernel_builder.kernel.manifest import Manifest, Variant
from kernel_builder.messages.errors import Problem, render
from kernel_builder.messages.terminal import complain


def collect_warnings(variants: Sequence[Variant]) -> list[Problem]:
    """Return the warnings of some variants, each once."""
    return list(dict.fromkeys(warning for variant in variants for warning in variant.warnings))


def show_warnings(manifest: Manifest, variants: Sequence[Variant]) -> None:
    """Print what the evaluation of these variants warns of."""
    for text in manifest.warnings:
        complain("warning", text)
    problems = collect_warnings(variants)
    if problems:
        complain("warning", render(f"{manifest.name} is built, but look at this", problems))
