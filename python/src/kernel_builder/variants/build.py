"""Builds the selected variants of a kernel: what is there stays, what cannot be had is left out."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kernel_builder import nix
from kernel_builder.kernel.folder import Kernel
from kernel_builder.kernel.manifest import (
    Built,
    Manifest,
    Variant,
    read_manifest,
    select_variants,
    show_warnings,
)
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.terminal import say
from kernel_builder.nix.quoting import nix_list
from kernel_builder.variants.headers import describe_headers
from kernel_builder.variants.request import Choice, Limits
from kernel_builder.variants.table import Row, State, as_data

THERE = (State.BUILT, State.CACHED)


@dataclass
class Report:
    """The end of a build; `errors` is empty if all went as it should."""

    manifest: Manifest
    rows: list[Row]
    result: str | None
    link: Path
    errors: list[KernelBuilderError]

    def as_data(self) -> dict[str, Any]:
        """Return the report as it goes into JSON."""
        return {
            "name": self.manifest.name,
            "system": self.manifest.system,
            "result": self.result,
            "variants": as_data(self.rows),
        }


@dataclass
class _Run:
    """What is known while it runs: how derivations ended, and the problems behind it."""

    ends: dict[str, tuple[State, str]] = field(default_factory=dict)
    left_out: list[Problem] = field(default_factory=list)
    failures: list[Problem] = field(default_factory=list)


def build_kernel(kernel: Kernel, choice: Choice, limits: Limits) -> Report:
    """Build the chosen variants and let `result` in the kernel's folder be their bundle."""
    manifest = read_manifest(kernel.evaluate("manifest"))
    selected = select_variants(manifest, choice.names, choice.backends)
    show_warnings(manifest, selected)
    run = _Run(left_out=_describe_unavailable(selected))
    wanted = {variant.built.drv: variant.built.out for variant in selected if variant.built}
    invalid = nix.find_invalid(wanted.values())
    run.ends = {drv: (State.CACHED, "") for drv, out in wanted.items() if out not in invalid}
    unbuilt = [drv for drv, out in wanted.items() if out in invalid]
    if unbuilt and limits.dry_run:
        run.ends.update(_foretell(unbuilt))
    elif unbuilt:
        from kernel_builder.variants.make import make

        made = make(unbuilt, limits)
        run.ends.update(made.ends)
        run.left_out += made.left_out
        run.failures = made.failures
    rows = [_row(variant, run.ends) for variant in selected]
    there = [row.variant for row in rows if row.out]
    result, link = None, _choose_link(kernel.folder)
    if there and not limits.dry_run:
        result = _link(_find_bundle(kernel, manifest, there), link)
    return Report(manifest, rows, result, link, _judge(manifest, rows, run, choice.require_all))


def _choose_link(folder: Path) -> Path:
    """Return where the result is linked: by the kernel, or here if that cannot be written to."""
    return (folder if os.access(folder, os.W_OK) else Path.cwd()) / "result"


def _foretell(derivations: Sequence[str]) -> dict[str, tuple[State, str]]:
    """Return what a build would do with derivations that are not there."""
    from kernel_builder.sources.missing import find_missing, needed_by

    missing = find_missing(derivations)
    for source in missing.sources:
        say(f"to fetch: {source.label}")
    ends = {}
    for derivation in derivations:
        count = len(needed_by(missing, derivation, missing.sources))
        ends[derivation] = State.TO_BUILD, f"{count} sources to fetch" if count else ""
    return ends


def _row(variant: Variant, ends: Mapping[str, tuple[State, str]]) -> Row:
    if not variant.built:
        return Row(variant.name, variant.backend, State.LEFT_OUT, variant.unavailable)
    state, why = ends[variant.built.drv]
    if state not in THERE:
        return Row(variant.name, variant.backend, state, why)
    unchecked = f"no import check: {variant.not_imported}" if variant.not_imported else ""
    notes = "; ".join(filter(None, (why, unchecked, describe_headers(variant.reports))))
    return Row(variant.name, variant.backend, state, notes, variant.built.out)


def _describe_unavailable(selected: Sequence[Variant]) -> list[Problem]:
    """Return a problem for each reason that keeps variants from being built here."""
    shared: dict[str, list[str]] = {}
    for variant in selected:
        if not variant.built:
            shared.setdefault(variant.unavailable, []).append(variant.name)
    return [
        Problem(
            at="\n".join(names),
            found=why,
            want="variants that can be built here",
            fix="select others with --variant or --backend",
        )
        for why, names in shared.items()
    ]


def _find_bundle(kernel: Kernel, manifest: Manifest, there: Sequence[str]) -> Built:
    """Return the bundle of exactly these variants."""
    names = set(there)
    available = [variant for variant in manifest.variants if variant.built and variant.bundle]
    if manifest.bundle and names == {variant.name for variant in available}:
        return manifest.bundle
    for backend, bundle in manifest.backend_bundles.items():
        if names == {variant.name for variant in available if variant.backend == backend}:
            return bundle
    parts = kernel.evaluate("bundleOf", f"f: ({nix.OUTLINE}) (f {nix_list(there)})")
    return Built(parts["drv"], parts["out"])


def _link(bundle: Built, link: Path) -> str:
    """Put the bundle together if need be, and link it; return where it is."""
    if nix.find_invalid([bundle.out]):
        from kernel_builder.variants.make import complete_bundle

        complete_bundle(bundle.drv)
    nix.link_result(bundle.drv, link)
    return bundle.out


def _judge(
    manifest: Manifest, rows: Sequence[Row], run: _Run, require_all: bool
) -> list[KernelBuilderError]:
    """Return what has to be reported as an error."""
    name = manifest.name
    if not rows:
        fix = "let [general] backends name a backend of this system, or widen the limits"
        found = f"no variant for {manifest.system}"
        if manifest.variants:
            fix = "name one with --variant"
            found += " that is part of bundles"
        problem = Problem("build.toml", found, "at least one variant", fix)
        return [KernelBuilderError(f"{name} has {found}", [problem])]
    errors = []
    if run.failures:
        errors.append(KernelBuilderError(f"{name} does not build", run.failures))
    left = [row for row in rows if row.state is State.LEFT_OUT]
    if left and (require_all or len(left) == len(rows)):
        share = f"only {len(rows) - len(left)} of {len(rows)} variants"
        if len(left) == len(rows):
            share = "no variant"
        errors.append(KernelBuilderError(f"{share} of {name} can be built here", run.left_out))
    return errors
