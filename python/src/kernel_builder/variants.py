"""Builds the selected variants of a kernel: what is there stays, what cannot be had is left out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from kernel_builder import nix
from kernel_builder.building import Building, describe_failures
from kernel_builder.buildlog import short_name
from kernel_builder.derivations import list_closure
from kernel_builder.errors import KernelBuilderError, Problem
from kernel_builder.fetch import Fetcher
from kernel_builder.kernel import Kernel
from kernel_builder.manifest import Built, Manifest, Variant
from kernel_builder.prefetch import (
    describe,
    fetch_missing,
    find_missing,
    needed_by,
    summarize,
)
from kernel_builder.report import Row, State


@dataclass
class Report:
    """The end of a build; `errors` is empty if all went as it should."""

    rows: list[Row]
    result: str | None = None
    errors: list[KernelBuilderError] = field(default_factory=list)


@dataclass
class _Run:
    """What is known while it runs: how each variant ended, by name, and what went wrong."""

    rows: dict[str, Row] = field(default_factory=dict)
    left_out: list[Problem] = field(default_factory=list)
    failures: list[Problem] = field(default_factory=list)

    def end(self, variant: Variant, state: State, why: str = "") -> None:
        there = state in (State.BUILT, State.CACHED)
        out = variant.built.out if variant.built and there else None
        self.rows[variant.name] = Row(variant.name, variant.backend, state, why, out)


def build_variants(
    kernel: Kernel,
    manifest: Manifest,
    selected: Sequence[Variant],
    *,
    print_logs: bool,
    max_jobs: int | None,
    cores: int | None,
    require_all: bool,
    link: Path,
) -> Report:
    """Build variants and link the bundle of those that are there."""
    run = _Run()
    fetcher = Fetcher()
    unbuilt = _sort_out(selected, run)
    if unbuilt:
        _make(unbuilt, run, fetcher, print_logs, max_jobs, cores)
    report = Report([run.rows[variant.name] for variant in selected])
    there = [row.variant for row in report.rows if row.out]
    if there:
        bundle = _find_bundle(kernel, manifest, there)
        _link(bundle, link, fetcher)
        report.result = bundle.out
    report.errors = _judge(manifest, report, run, require_all)
    return report


def _sort_out(selected: Sequence[Variant], run: _Run) -> list[Variant]:
    """Return the variants that are to be built; the others have found their end."""
    invalid = nix.find_invalid(v.built.out for v in selected if v.built)
    unbuilt = []
    for variant in selected:
        if not variant.built:
            run.end(variant, State.LEFT_OUT, variant.unavailable)
            run.left_out.append(
                Problem(
                    at=variant.name,
                    found=variant.unavailable,
                    want="a variant that can be built here",
                    fix="leave it out with --variant or --backend",
                )
            )
        elif variant.built.out in invalid:
            unbuilt.append(variant)
        else:
            run.end(variant, State.CACHED)
    return unbuilt


def _make(
    unbuilt: Sequence[Variant],
    run: _Run,
    fetcher: Fetcher,
    print_logs: bool,
    max_jobs: int | None,
    cores: int | None,
) -> None:
    drvs = {variant: variant.built.drv for variant in unbuilt if variant.built}
    missing = find_missing(list(drvs.values()))
    refused = fetch_missing(missing, fetcher)
    run.left_out += describe(refused)
    ready = []
    for variant, drv in drvs.items():
        lacking = needed_by(missing, drv, refused)
        if lacking:
            run.end(variant, State.LEFT_OUT, summarize(lacking.values()))
        else:
            ready.append(variant)
    if not ready:
        return
    building = Building(missing.graph, print_logs=print_logs)
    failed = building.run([drvs[variant] for variant in ready], max_jobs, cores)
    run.failures = describe_failures(failed)
    for variant in ready:
        causes = [each for each in failed if each in list_closure(missing.graph, drvs[variant])]
        why = ", ".join(short_name(each) for each in causes)
        run.end(variant, State.FAILED if causes else State.BUILT, why)


def _find_bundle(kernel: Kernel, manifest: Manifest, there: Sequence[str]) -> Built:
    """Return the bundle of exactly these variants."""
    names = set(there)
    available = [variant for variant in manifest.variants if variant.built]
    if manifest.bundle and names == {variant.name for variant in available}:
        return manifest.bundle
    for backend, bundle in manifest.backend_bundles.items():
        if names == {variant.name for variant in available if variant.backend == backend}:
            return bundle
    chosen = " ".join(json.dumps(name) for name in there)
    parts = kernel.evaluate(
        "bundleOf", f"f: let b = f [ {chosen} ]; in {{ drv = b.drvPath; out = b.outPath; }}"
    )
    return Built(parts["drv"], parts["out"])


def _link(bundle: Built, link: Path, fetcher: Fetcher) -> None:
    if nix.find_invalid([bundle.out]):
        refused = fetch_missing(find_missing([bundle.drv]), fetcher)
        if refused:
            raise KernelBuilderError("the bundle cannot be put together", describe(refused))
    nix.link_result(bundle.drv, link)


def _judge(
    manifest: Manifest, report: Report, run: _Run, require_all: bool
) -> list[KernelBuilderError]:
    """Return what has to be reported as an error."""
    name = manifest.name
    if not report.rows:
        fix = "let [general] backends name a backend of this system, or widen the limits"
        found = f"no variant for {manifest.system}"
        problem = Problem("build.toml", found, "at least one variant", fix)
        return [KernelBuilderError(f"{name} has nothing to build", [problem])]
    errors = []
    if run.failures:
        errors.append(KernelBuilderError(f"{name} does not build", run.failures))
    left = [row for row in report.rows if row.state is State.LEFT_OUT]
    if left and (require_all or len(left) == len(report.rows)):
        what = "nothing of" if len(left) == len(report.rows) else "not all of"
        errors.append(KernelBuilderError(f"{what} {name} can be built here", run.left_out))
    return errors
