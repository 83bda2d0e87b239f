"""Builds the chosen variants of kernels, all in one go, and links their bundles."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Final

from kernel_builder import extras, nix
from kernel_builder.extras import open_kernel
from kernel_builder.kernel.folder import Kernel
from kernel_builder.kernel.manifest import (
    Variant,
    collect_warnings,
    drop_repeated,
    require_known,
    show_warnings,
)
from kernel_builder.kernel.several import attempt_each, name_kernels
from kernel_builder.messages.errors import KernelBuilderError, Problem, UsageError
from kernel_builder.messages.terminal import say
from kernel_builder.nix.quoting import nix_list
from kernel_builder.nix.systems import find_system
from kernel_builder.settings import current_settings
from kernel_builder.variants import make
from kernel_builder.variants.default import choose_variants
from kernel_builder.variants.make import Run, predict
from kernel_builder.variants.missing import Missing
from kernel_builder.variants.outcome import UP_TO_DATE, BuildResult, conclude
from kernel_builder.variants.result import choose_link
from kernel_builder.variants.table import Choice, Row, State, make_row

# The manifest in which one variant is asked for.
ONLY: Final = "of: name: of { names = [ name ]; backends = [ ]; }"


def build_kernels(
    folders: Sequence[Path], choice: Choice, opener: Callable[..., Kernel] = open_kernel
) -> list[BuildResult]:
    """Build the chosen variants of kernels in one call of Nix; link each bundle as `result`.

    Sources that are missing are fetched through the machine's own pip and apt. A variant whose
    sources cannot be had is left out; a variant that fails does not stop the others. Neither
    raises: the result says so. Raises KernelBuilderError if the only kernel cannot be evaluated,
    and UsageError if none of them has a variant that is named.
    """
    started = time.monotonic()
    if choice.here and (choice.names or choice.backends or choice.system or choice.select):
        want = "leave --variant, --backend, --system and --missing out"
        raise UsageError(f"--here chooses the variant: {want}")
    results = _evaluate_kernels(folders, choice, opener, started)
    known = [(each, each.kernel) for each in results if each.kernel]
    later: dict[str, list[Problem]] = {}
    for each, kernel in known:
        warnings = [*kernel.find_unseen(), *collect_warnings(kernel, each.manifest)]
        # A step that reads the same file says more of it.
        files = [it for it in warnings if it.file and not it.file.endswith("build.toml")]
        later[each.label] = [] if choice.dry_run else [it for it in files if it.line or not it.at]
        show_warnings(each.manifest["name"], [it for it in warnings if it not in later[each.label]])
    show_warnings("these kernels", [*find_rivals((it.folder, each.manifest) for each, it in known)])
    require_known([each.manifest for each, _ in known], choice.names, choice.backends)
    evaluated = time.monotonic() - started
    pending = [each for each, _ in known]
    while pending:
        run = _realise(pending, choice)
        run.seconds_before = {"evaluation": evaluated, **run.seconds_before}
        for each in pending:
            each.run = run
        pending = [each for each in pending if _take_next(each)]
    for each in results:
        if each.kernel:
            conclude(each, each.kernel, choice, alone=len(folders) == 1)
            left = drop_repeated(later[each.label], each.kernel.folder, [*map(str, each.errors)])
            show_warnings(each.manifest["name"], left, "in")
        each.seconds = time.monotonic() - started
    return results


def _evaluate_kernels(
    folders: Sequence[Path], choice: Choice, opener: Callable[..., Kernel], started: float
) -> list[BuildResult]:
    """Return the kernels with their manifests; raises if the only one cannot be evaluated."""
    alone = len(folders) == 1
    labels = dict(zip(name_kernels(folders), folders))

    def name_only(label: str, row: Row, *errors: KernelBuilderError) -> BuildResult:
        manifest = {"name": label, "system": choice.system or find_system(), "variants": ()}
        return BuildResult(label, manifest, started, rows=[row], errors=[*errors])

    def evaluate(label: str) -> BuildResult:
        kernel = opener(labels[label], choice.targets, choice.system)
        names, backends = choice.names, choice.backends
        if choice.select:
            names, backends = choice.select(kernel, names, backends), ()
            if not (names or choice.names or choice.backends):
                return name_only(label, UP_TO_DATE)
            # No variant has an empty name, and without names all would be meant.
            names = names or ("",)
        apply = f"f: f {{ names = {nix_list(names)}; backends = {nix_list(backends)}; }}"
        is_linked = not current_settings().untrusted and not choice.dry_run
        link = choose_link(kernel.folder, alone=alone) if is_linked else None
        candidates = choose_variants(kernel, None, "manifestOf", ONLY) if choice.here else iter(())
        try:
            _, manifest = next(candidates)
        except (StopIteration, KernelBuilderError):
            # Without a variant, this manifest says why.
            manifest = kernel.evaluate("manifestOf", apply)
        return BuildResult(label, manifest, started, kernel, candidates, link)

    if alone:
        return [evaluate(label) for label in labels]
    results = []
    for label, outcome in zip(labels, attempt_each(labels, evaluate, "evaluating")):
        if isinstance(outcome, KernelBuilderError):
            failed = Row("", "", State.FAILED, outcome.headline)
            results.append(name_only(label, failed, outcome))
        else:
            results.append(outcome)
    return results


def _take_next(result: BuildResult) -> bool:
    """Go on to another Torch, or with --here to another variant, where sources cannot be had."""
    run, kernel = result.run, result.kernel
    rows = [make_row(variant, run.states) for variant in result.selected]
    lost = [row for row in rows if row.state is State.LEFT_OUT]
    if run.interruption or not (lost and kernel):
        return False
    wheels = [it["wheel"] for each in result.selected for it in each.get("torches", ())]
    refused = {path for path, _ in run.refused} | extras.recall(wheels).keys()
    if kernel.avoid(refused, result.selected):
        apply = f"f: f {{ names = {nix_list([row.variant for row in rows])}; backends = [ ]; }}"
        result.manifest = kernel.evaluate("manifestOf", apply)
        return True
    if following := next(result.alternatives or iter(()), None):
        say("\n".join(f"{row.variant} is left out: {row.why}" for row in lost))
        _, result.manifest = following
    return following is not None


def find_rivals(kernels: Iterable[tuple[Path, Mapping[str, Any]]]) -> Iterator[Problem]:
    """Yield a problem for kernels that are uploaded to the same branch of the same repository.

    `kernels` are their folders, each with `name`, `version` and `hub` as the manifest has them.
    Without a repository, the name has to be another one: users import the kernel by it.
    """
    files: dict[tuple[str, object], list[str]] = {}
    for folder, manifest in kernels:
        hub = manifest.get("hub") or {}
        place = hub.get("repo-id") or manifest["name"], hub.get("branch") or manifest.get("version")
        files.setdefault(place, []).append(str(folder / "build.toml"))
    for (name, _), rivals in files.items():
        if len(rivals) > 1:
            found = f'name = "{name}" in each, and no repo-id'
            found = f'repo-id = "{name}" in each, for the same branch' if "/" in name else found
            fix = "change it in all but one: an upload of one replaces the variants of another"
            yield Problem("\n".join(rivals), found, "a repository for each kernel", fix)


def _realise(results: Sequence[BuildResult], choice: Choice) -> Run:
    """Build or, in a dry run, predict what is not in the store; a kernel's bundle comes last."""
    groups = ((*result.selected, result.manifest["bundle"]) for result in results)
    outlines = [each for each in chain(*groups) if each and "drv" in each]
    invalid = nix.find_invalid(dict.fromkeys(each["out"] for each in outlines))
    earlier, run = results[0].run, Run()
    drvs = dict.fromkeys(each["drv"] for each in outlines if each["out"] in invalid)
    if lacking := [each for each in drvs if each not in earlier.states]:
        announce = partial(_announce, results, choice)
        run = predict(lacking) if choice.dry_run else make.build(lacking, announce)
    run.add(earlier)
    run.states = {each["drv"]: (State.CACHED, "") for each in outlines} | run.states
    return run


def _announce(results: Sequence[BuildResult], choice: Choice, missing: Missing) -> None:
    """Say before a long run how much there is to do."""
    variants = [drv for each in results for drv in each.derivations.values()]
    count = sum(each in missing.graph for each in variants)
    steps, files = missing.list_unbuilt(missing.roots), len(missing.sources)
    if count > 1 or files:
        fetched = f", {files} files to fetch" if files else ""
        text = f"{count} of {len(variants)} variants, {len(steps) - files} steps{fetched}"
        # A command that takes no --here requires all, or selects.
        say(f"{text} (--here: 1 variant)" if count > 1 and choice == Choice() else text)


def predict_left_out(variants: Sequence[Variant]) -> dict[str, str]:
    """Return the variants that would be left out for a source that could not be had minutes ago."""
    outlines = [each for each in variants if "drv" in each]
    invalid = nix.find_invalid(each["out"] for each in outlines)
    states = predict([each["drv"] for each in outlines if each["out"] in invalid]).states
    found = {each["name"]: states.get(each["drv"]) for each in outlines}
    return {name: state[1] for name, state in found.items() if state and state[0] is State.LEFT_OUT}
