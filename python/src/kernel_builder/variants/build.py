"""Builds the chosen variants of kernels, all in one go, and links their bundles."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kernel_builder import extras, nix
from kernel_builder.kernel.folder import Kernel
from kernel_builder.kernel.manifest import (
    Manifest,
    Variant,
    collect_warnings,
    explain_absence,
    find_nearest,
    require_known,
    show_warnings,
)
from kernel_builder.kernel.several import Outcome, attempt_each
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.nix.quoting import nix_list
from kernel_builder.nix.systems import find_system
from kernel_builder.settings import current_settings
from kernel_builder.variants.links import choose_link
from kernel_builder.variants.table import Choice, Limits, Row, Run, State, make_row


@dataclass(frozen=True)
class Request:
    """A kernel to build. `open_kernel` returns it, or raises KernelBuilderError.

    `name` is for messages.
    """

    name: str
    open_kernel: Callable[[], Kernel]


@dataclass
class BuildResult:
    """The result of building a kernel.

    `kernel` is None if it could not be evaluated. `bundle` is the folder in the store with all
    built variants, and `link` leads to it; both are None if nothing was built. `wheels` is the
    folder of `build_wheels`. `errors` is empty if everything that was asked for was built.
    `derivations` has the derivation of each variant by its name. `started` is a reading of the
    monotonic clock, `seconds` is the time of the whole build.
    """

    kernel: Kernel | None
    manifest: Manifest
    rows: list[Row]
    bundle: str | None
    link: Path | None
    errors: list[KernelBuilderError]
    run: Run
    derivations: Mapping[str, str]
    started: float
    seconds: float
    wheels: str | None = None

    @property
    def notes(self) -> Sequence[str]:
        """What the build does not do as the kernel asks for."""
        return self.kernel.notes if self.kernel else ()

    def as_data(self) -> dict[str, Any]:
        """Return the result as it goes into JSON."""
        return {
            "name": self.manifest["name"],
            "system": self.manifest["system"],
            "result": self.bundle,
            "variants": [row.as_data() for row in self.rows],
            "built": dict(self.run.built),
            "fetched": dict(self.run.fetched),
            "problems": [each for error in self.errors for each in error.as_data()],
            "left-out": [problem.as_data() for problem in self.run.left_out],
            **({"notes": [*self.notes]} if self.notes else {}),
            **({"wheels": self.wheels} if self.wheels else {}),
        }


@dataclass(frozen=True)
class _Evaluated:
    """A kernel whose derivations are known; `outlines` are those that are to be built."""

    kernel: Kernel
    manifest: Manifest
    link: Path | None

    @property
    def selected(self) -> list[Variant]:
        return [variant for variant in self.manifest["variants"] if variant["asked"]]

    @property
    def outlines(self) -> list[Variant]:
        bundle = self.manifest["bundle"]
        buildable = [variant for variant in self.selected if "drv" in variant]
        return [*buildable, *([bundle] if bundle else [])]


def build_kernel(kernel: Kernel, choice: Choice, limits: Limits) -> BuildResult:
    """Build the chosen variants and link their bundle as `result` in the kernel's folder.

    Sources that are missing are fetched through the machine's own pip and apt. A variant whose
    sources cannot be had is left out; a variant that fails does not stop the others. Neither
    raises: the result says so. Raises KernelBuilderError if the kernel cannot be evaluated or the
    bundle cannot be linked.
    """
    request = Request(kernel.folder.name, lambda: kernel)
    return build_kernels([request], choice, limits)[0]


def build_kernels(requests: Sequence[Request], choice: Choice, limits: Limits) -> list[BuildResult]:
    """Build several kernels as `build_kernel` builds one, in one call of Nix.

    What would be raised for one kernel is among the errors of its result if there are others.
    Raises UsageError if none of them has a variant that is named.
    """
    started = time.monotonic()
    alone = len(requests) == 1
    names, backends = nix_list(choice.names), nix_list(choice.backends)
    asked = f"f: f {{ names = {names}; backends = {backends}; }}"

    def evaluate(request: Request) -> _Evaluated:
        kernel = request.open_kernel()
        is_linked = not current_settings().untrusted and not limits.dry_run
        link = choose_link(kernel.folder, alone=alone) if is_linked else None
        kernel.warn_of_git()
        manifest = kernel.evaluate("manifestOf", asked)
        return _Evaluated(kernel, manifest, link)

    outcomes: list[Outcome[_Evaluated]]
    outcomes = (
        [*map(evaluate, requests)] if alone else attempt_each(requests, evaluate, "evaluating")
    )
    known = [each for each in outcomes if isinstance(each, _Evaluated)]
    for each in known:
        show_warnings(each.manifest["name"], collect_warnings(each.kernel, each.manifest))
    require_known([each.manifest for each in known], choice.names, choice.backends)
    evaluated = time.monotonic() - started
    runs = iter(_realise_groups([each.outlines for each in known], limits))
    results = []
    for request, outcome in zip(requests, outcomes):
        try:
            if isinstance(outcome, KernelBuilderError):
                raise outcome
            run = next(runs)
            run.seconds_before = {"evaluation": evaluated, **run.seconds_before}
            results.append(_conclude(outcome, run, choice, limits, alone=alone, started=started))
        except KernelBuilderError as error:
            if alone:
                raise
            row = Row("", "", State.FAILED, error.headline)
            results.append(_make_result(request, choice, row, [error], started))
    return results


def _make_result(
    request: Request, choice: Choice, row: Row, errors: list[KernelBuilderError], started: float
) -> BuildResult:
    """Return the result of a kernel that is not built."""
    manifest = {"name": request.name, "system": choice.system or find_system()}
    seconds = time.monotonic() - started
    return BuildResult(None, manifest, [row], None, None, errors, Run(), {}, started, seconds)


def _conclude(
    evaluated: _Evaluated, run: Run, choice: Choice, limits: Limits, *, alone: bool, started: float
) -> BuildResult:
    """Link what was built of a kernel; return its result."""
    kernel, manifest, selected = evaluated.kernel, evaluated.manifest, evaluated.selected
    bundle = manifest["bundle"]
    run.left_out = [*_describe_unavailable(selected), *run.left_out]
    run.failures = [kernel.explain_failure(each) for each in run.failures]
    rows = [make_row(variant, run.states) for variant in selected]
    derivations = {each["name"]: each["drv"] for each in selected if "drv" in each}
    built = [row.variant for row in rows if row.out]
    path = None
    if built and not limits.dry_run:
        if len(built) < len(derivations):
            bundle = kernel.evaluate("bundleOf", f"f: ({nix.OUTLINE}) (f {nix_list(built)})")
        is_there = run.states.get(bundle["drv"], ("",))[0] is State.CACHED
        path = _link_output(bundle, evaluated.link, is_there=is_there)
    errors = _collect_errors(manifest, rows, run, choice.require_all)
    if not rows and not alone:
        # Others may have such variants.
        errors = errors if choice.require_all else []
        rows = [_explain_no_variant(manifest, choice)]
    seconds = time.monotonic() - started
    link = evaluated.link
    return BuildResult(
        kernel, manifest, rows, path, link, errors, run, derivations, started, seconds
    )


def _explain_no_variant(manifest: Manifest, choice: Choice) -> Row:
    nearest = find_nearest(manifest.get("leftOut", ()))
    reasons = [nearest[each]["found"] for each in choice.backends or nearest if each in nearest]
    why = reasons[0] if reasons else f"no such variant for {manifest['system']}"
    return Row("", "", State.LEFT_OUT, why)


def _link_output(
    outline: Mapping[str, str],
    link: Path | None,
    headline: str = "the bundle cannot be put together",
    *,
    is_there: bool = False,
) -> str:
    """Build an output of the kernel if need be, link it, and return its path."""
    if not is_there:
        from kernel_builder.variants.make import make_path

        make_path(outline, headline)
    if link:
        nix.link_result(outline["drv"], link)
    return outline["out"]


def _realise_groups(groups: Sequence[Sequence[Variant]], limits: Limits) -> list[Run]:
    """Build or, in a dry run, predict what is not in the store; a group's bundle comes last."""
    outputs = dict.fromkeys(each["out"] for group in groups for each in group)
    invalid = nix.find_invalid(outputs)
    lacking = [[each["drv"] for each in group if each["out"] in invalid] for group in groups]
    unbuilt = [*dict.fromkeys(drv for group in lacking for drv in group)]
    runs = [Run() for _ in groups]
    if limits.dry_run and unbuilt:
        from kernel_builder.variants.missing import find_missing

        # Checks the sources before Nix asks any cache for them.
        extras.fetch(find_missing(unbuilt), only_check=True)
        to_build = nix.find_unbuilt(unbuilt)
        for run, group in zip(runs, lacking):
            for drv in group:
                run.states[drv] = State.TO_BUILD if drv in to_build else State.TO_FETCH, ""
    elif unbuilt:
        from kernel_builder.variants.make import build_groups

        runs = build_groups(lacking, limits)
    for run, variants in zip(runs, groups):
        run.states = {**{each["drv"]: (State.CACHED, "") for each in variants}, **run.states}
    return runs


def _describe_unavailable(selected: Sequence[Variant]) -> list[Problem]:
    """Return a problem for each reason for which variants cannot be built here."""
    names: dict[str, list[str]] = {}
    for variant in selected:
        if "drv" not in variant:
            names.setdefault(variant["unavailable"], []).append(variant["name"])
    want, fix = "variants that can be built here", "select others with --variant or --backend"
    return [Problem("\n".join(names[why]), why, want, fix) for why in names]


def build_wheels(result: BuildResult) -> tuple[str, Path | None] | None:
    """Pack the built variants as wheels beside their bundle; return path and link of the index.

    An error is added to those of the result.
    """
    assert result.kernel, "internal error: a bundle without its kernel"
    built = nix_list([row.variant for row in result.rows if row.out])
    try:
        link = result.link
        if link:
            link = choose_link(link.parent, link.name.replace("result", "wheels", 1))
        index = result.kernel.evaluate("wheelsOf", f"f: ({nix.OUTLINE}) (f {built})")
        result.wheels = _link_output(index, link, "the wheels cannot be packed")
    except KernelBuilderError as error:
        result.errors.append(error)
        return None
    return result.wheels, link


def _collect_errors(
    manifest: Manifest, rows: Sequence[Row], run: Run, require_all: bool
) -> list[KernelBuilderError]:
    name = manifest["name"]
    if not rows:
        if not manifest["variants"] and (reasons := explain_absence(manifest.get("leftOut", ()))):
            problems = [Problem.read(each) for each in reasons]
            return [KernelBuilderError(f"{name} has no variant for {manifest['system']}", problems)]
        found = f"no variant for {manifest['system']} that is part of bundles"
        fix = "change [general] backends or limits, or name another one with --variant"
        problem = Problem("build.toml", found, "at least one variant", fix)
        return [KernelBuilderError(f"{name} has {found}", [problem])]
    errors = [KernelBuilderError(f"{name} does not build", run.failures)] if run.failures else []
    built = sum(row.state is not State.LEFT_OUT for row in rows)
    if built < len(rows) and (require_all or not built):
        share = f"only {built} of {len(rows)} variants" if built else "no variant"
        errors.append(KernelBuilderError(f"{share} of {name} can be built here", run.left_out))
    return errors
