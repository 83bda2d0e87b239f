"""Builds the chosen variants of kernels, all in one go, and links their bundles."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Final

from kernel_builder import nix
from kernel_builder.extras import open_kernel
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
from kernel_builder.kernel.several import attempt_each, name_kernels
from kernel_builder.machine import cache
from kernel_builder.messages.errors import KernelBuilderError, Problem, UsageError, shorten
from kernel_builder.messages.terminal import say
from kernel_builder.nix.quoting import nix_list
from kernel_builder.nix.systems import find_system
from kernel_builder.settings import current_settings
from kernel_builder.variants import make
from kernel_builder.variants.default import choose_variants
from kernel_builder.variants.make import Run, make_path, predict
from kernel_builder.variants.missing import Missing, find_missing
from kernel_builder.variants.result import FINDINGS, choose_link, show_findings
from kernel_builder.variants.table import AVAILABLE, Choice, Row, State, make_row

# Outlines of bundles of some variants, in the user's cache.
OUTLINES: Final = "outlines.json"
SECONDS_KEPT: Final = 7 * 86400
# Other variants that a message names.
VARIANTS_SHOWN: Final = 3
# The manifest in which one variant is asked for.
ONLY: Final = "of: name: of { names = [ name ]; backends = [ ]; }"
# The row of a kernel of which `Choice.select` takes nothing.
UP_TO_DATE: Final = Row("", "", State.UP_TO_DATE, "the Hub lacks none of these variants")
# A command line can hold as many.
STEPS_READ: Final = 2000


@dataclass
class BuildResult:
    """The result of building a kernel.

    `label` is its name for people, `kernel` is None if it could not be evaluated. `others` are the
    manifests of variants to take if the sources of this one cannot be had. `bundle` is the
    folder in the store with all built variants, None if nothing was built, and `link` leads to it.
    `wheels` is the folder of `build_wheels`. `errors` is empty if everything that was asked for was
    built. `warnings` are the findings of its steps. `started` is a reading of the monotonic clock,
    `seconds` is the time of the whole build.
    """

    label: str
    manifest: Manifest
    started: float
    kernel: Kernel | None = None
    others: Iterator[tuple[str, Manifest]] | None = None
    link: Path | None = None
    rows: list[Row] = field(default_factory=list)
    bundle: str | None = None
    errors: list[KernelBuilderError] = field(default_factory=list)
    warnings: Sequence[Mapping[str, Any]] = ()
    left_out: list[Problem] = field(default_factory=list)
    run: Run = field(default_factory=Run)
    seconds: float = 0
    wheels: str | None = None

    @property
    def notes(self) -> Sequence[str]:
        """Requests of the kernel that a build does not follow, and sources that no `src` lists."""
        own = self.kernel.notes if self.kernel else ()
        return [*own, *self.manifest.get("unlisted", ())]

    @property
    def selected(self) -> list[Variant]:
        """The variants that were asked for."""
        return [variant for variant in self.manifest["variants"] if variant["asked"]]

    @property
    def derivations(self) -> dict[str, str]:
        """The derivation of each variant, by its name."""
        return {each["name"]: each["drv"] for each in self.selected if "drv" in each}

    @property
    def needed(self) -> list[str]:
        """The derivations of the variants, and of their bundle."""
        bundle = self.manifest.get("bundle") or {}
        return [*self.derivations.values(), *([bundle["drv"]] if "drv" in bundle else [])]

    @property
    def built(self) -> list[str]:
        """The names of the variants that are in the store."""
        return [row.variant for row in self.rows if row.out]

    def as_data(self) -> dict[str, Any]:
        """Return the result as it goes into JSON."""
        return {
            "name": self.manifest["name"],
            "system": self.manifest["system"],
            "result": self.bundle,
            "variants": [vars(row) for row in self.rows],
            **self.run.count(self.needed),
            "warnings": self.warnings,
            "problems": [each for error in self.errors for each in error.as_data()],
            "left-out": [problem.as_data() for problem in self.left_out],
            **({"notes": [*self.notes]} if self.notes else {}),
            **({"wheels": self.wheels} if self.wheels else {}),
        }


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
        raise UsageError(
            "--here chooses the variant: leave --variant, --backend, --system and --missing out"
        )
    results = _evaluate_kernels(folders, choice, opener, started)
    known = [(each, each.kernel) for each in results if each.kernel]
    for each, kernel in known:
        show_warnings(each.manifest["name"], collect_warnings(kernel, each.manifest))
    show_warnings("these kernels", [*_find_rivals(known)])
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
            _conclude(each, each.kernel, choice, alone=len(folders) == 1)
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
        asked = f"f: f {{ names = {nix_list(names)}; backends = {nix_list(backends)}; }}"
        is_linked = not current_settings().untrusted and not choice.dry_run
        link = choose_link(kernel.folder, alone=alone) if is_linked else None
        show_warnings(label, kernel.find_unseen())
        candidates = choose_variants(kernel, None, "manifestOf", ONLY) if choice.here else iter(())
        try:
            _, manifest = next(candidates)
        except (StopIteration, KernelBuilderError):
            # Without a variant, this manifest says why.
            manifest = kernel.evaluate("manifestOf", asked)
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
    """Go on to the next variant for this machine if this one is left out."""
    rows = [make_row(variant, result.run.states) for variant in result.selected]
    is_lost = rows and all(row.state is State.LEFT_OUT for row in rows)
    if is_lost and (following := next(result.others or iter(()), None)):
        say("\n".join(f"{row.variant} is left out: {row.why}" for row in rows))
        _, result.manifest = following
        return True
    return False


def _find_rivals(kernels: Sequence[tuple[BuildResult, Kernel]]) -> Iterator[Problem]:
    """Yield a problem for kernels that are uploaded to the same branch of the same repository.

    Without a repository, the name has to be another one: users import the kernel by it.
    """
    files: dict[tuple[str, str], list[str]] = {}
    for result, kernel in kernels:
        hub, version = result.manifest.get("hub") or {}, result.manifest.get("version")
        place = hub.get("repo-id") or "", str(hub.get("branch") or version)
        if not place[0]:
            place = "", result.manifest["name"]
        files.setdefault(place, []).append(str(kernel.folder / "build.toml"))
    for (repository, name), rivals in files.items():
        if len(rivals) > 1:
            found = f'repo-id = "{repository}" in each, for the same branch'
            fix = "change repo-id in all but one: an upload of one replaces the variants of another"
            if not repository:
                found = f'name = "{name}" in each, and no repo-id'
                fix = "change name in all but one, or state repo-id: one would replace the other"
            yield Problem("\n".join(rivals), found, "a repository for each kernel", fix)


def _conclude(result: BuildResult, kernel: Kernel, choice: Choice, *, alone: bool) -> None:
    """Describe the outcome of a kernel, and link what was built."""
    manifest, run = result.manifest, result.run
    if choice.select and not result.selected:
        result.rows = [UP_TO_DATE]
        return
    refused, failed = run.describe_problems(result.needed)
    result.left_out = [*_describe_unavailable(result.selected), *refused]
    failures = [kernel.explain_failure(each) for each in failed]
    result.rows = [make_row(variant, run.states) for variant in result.selected]
    result.errors = _collect_errors(result, failures, choice.require_all)
    if not result.rows and not alone:
        # Others may have such variants.
        result.errors = result.errors if choice.require_all else []
        result.rows = [_explain_no_variant(manifest, choice)]
    if result.built and not choice.dry_run:
        bundle = manifest["bundle"] or {}
        state, _ = run.states.get(bundle.get("drv", ""), (None, ""))
        is_whole = len(result.built) == len(result.derivations)
        made = bundle if is_whole and state in AVAILABLE else None
        result.bundle, _ = _link_output(result, "bundle", "result", made)
    if not choice.dry_run and (folder := _collect_findings(result)):
        result.warnings = show_findings(Path(folder, FINDINGS, "all.json"))


def _collect_findings(result: BuildResult) -> str | None:
    """Return a folder with the findings of all steps that ended well; an older flake has none."""
    failed = [row.variant for row in result.rows if row.state is State.FAILED]
    steps = (each.get("reporting", ()) for each in result.selected if each["name"] in failed)
    paths = [*chain(*steps)]
    # Nix leaves outputs of failed steps in the store, as invalid paths.
    invalid = nix.find_invalid(paths) if paths else ()
    done = [Path(path).name[:32] for path in paths if path not in invalid][:STEPS_READ]
    if not done:
        return result.bundle
    more = f"{{ failed = {nix_list(failed)}; hashes = {nix_list(done)}; }}"
    return _link_output(result, "findings", "", more=more)[0]


def _explain_no_variant(manifest: Manifest, choice: Choice) -> Row:
    nearest = find_nearest(manifest.get("leftOut", ()))
    reasons = [nearest[each]["found"] for each in choice.backends or nearest if each in nearest]
    why = reasons[0] if reasons else f"no such variant for {manifest['system']}"
    return Row("", "", State.LEFT_OUT, why)


def _link_output(
    result: BuildResult, noun: str, name: str, made: Mapping[str, str] | None = None, more: str = ""
) -> tuple[str | None, Path | None]:
    """Build the bundle or the wheels of what was built, and link them; return path and link.

    The kernel's attribute `bundleOf` or `wheelsOf` makes them of the names of variants. An error is
    added to those of the result. `made` is the output if it is known to be in the store. Without
    `name` nothing is linked; `more` is a further argument of the attribute.
    """
    assert result.kernel, "internal error: variants without their kernel"
    made_of = f"f: ({nix.OUTLINE}) (f {nix_list(result.built)} {more})"
    link = result.link if name else None
    try:
        if link:
            link = choose_link(link.parent, link.name.replace("result", name, 1))
        outline = made or _evaluate(result.kernel, result.manifest["bundle"], f"{noun}Of", made_of)
        path = made["out"] if made else make_path(outline, f"the {noun} cannot be put together")
        if link and not nix.is_linked(path, link):
            nix.link_result(outline["drv"], link)
    except KernelBuilderError as error:
        result.errors.append(error)
        return None, None
    return path, link


def _evaluate(
    kernel: Kernel, whole: Mapping[str, str] | None, attribute: str, apply: str
) -> Mapping[str, str]:
    """Return the outline of a folder of variants; that of a bundle is kept for the next build.

    A bundle of some variants is a function of their names and of the `whole` bundle.
    """
    key = f"{kernel.folder} {whole['drv']} {apply}" if whole and attribute == "bundleOf" else ""
    kept = cache.recall(OUTLINES, SECONDS_KEPT) if key else {}
    if key in kept and Path(kept[key][1]["drv"]).exists():
        return dict(kept[key][1])
    outline: dict[str, str] = kernel.evaluate(attribute, apply)
    if key:
        cache.keep(OUTLINES, {key: outline}, SECONDS_KEPT)
    return outline


def build_wheels(result: BuildResult) -> tuple[str, Path | None] | None:
    """Pack the built variants as wheels beside their bundle; return path and link of the index.

    An error is added to those of the result.
    """
    result.wheels, link = _link_output(result, "wheels", "wheels")
    return (result.wheels, link) if result.wheels else None


def _realise(results: Sequence[BuildResult], choice: Choice) -> Run:
    """Build or, in a dry run, predict what is not in the store; a kernel's bundle comes last."""
    groups = ((*result.selected, result.manifest["bundle"]) for result in results)
    outlines = [each for each in chain(*groups) if each and "drv" in each]
    invalid = nix.find_invalid(dict.fromkeys(each["out"] for each in outlines))
    lacking = [*dict.fromkeys(each["drv"] for each in outlines if each["out"] in invalid)]
    run = Run()
    if lacking:
        announce = partial(_announce, results, choice)
        run = predict(lacking) if choice.dry_run else make.build(lacking, announce)
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
        is_all = count > 1 and not (choice.names or choice.backends)
        say(f"{text} (--here: 1 variant)" if is_all else text)


def predict_left_out(variants: Sequence[Variant]) -> dict[str, str]:
    """Return the variants that would be left out for a source that could not be had minutes ago."""
    outlines = [each for each in variants if "drv" in each]
    invalid = nix.find_invalid(each["out"] for each in outlines)
    states = predict([each["drv"] for each in outlines if each["out"] in invalid]).states
    found = {each["name"]: states.get(each["drv"]) for each in outlines}
    return {name: state[1] for name, state in found.items() if state and state[0] is State.LEFT_OUT}


def _describe_unavailable(selected: Sequence[Variant]) -> list[Problem]:
    """Return a problem for each reason for which variants cannot be built here."""
    names: dict[str, list[str]] = {}
    for variant in selected:
        if "drv" not in variant:
            names.setdefault(variant["unavailable"], []).append(variant["name"])
    want, fix = "variants that can be built here", "select others with --variant or --backend"
    return [Problem("\n".join(names[why]), why, want, fix) for why in names]


def _collect_errors(
    result: BuildResult, failures: Sequence[Problem], require_all: bool
) -> list[KernelBuilderError]:
    manifest, rows = result.manifest, result.rows
    name = manifest["name"]
    if not rows:
        if not manifest["variants"] and (reasons := explain_absence(manifest.get("leftOut", ()))):
            problems = [Problem.read(each) for each in reasons]
            return [KernelBuilderError(f"{name} has no variant for {manifest['system']}", problems)]
        found = f"no variant for {manifest['system']} that is part of bundles"
        fix = "change [general] backends or limits, or name another one with --variant"
        problem = Problem("build.toml", found, "at least one variant", fix)
        return [KernelBuilderError(f"{name} has {found}", [problem])]
    errors = [KernelBuilderError(f"{name} does not build", failures)] if failures else []
    built = sum(row.state is not State.LEFT_OUT for row in rows)
    if built < len(rows) and (require_all or not built):
        share = f"only {built} of {len(rows)} variants" if built else "no variant"
        problems = [*result.left_out]
        if others := [] if built else _find_at_hand(result):
            fix = f"{problems[0].fix};\nor build one whose sources are here: {', '.join(others)}"
            problems[0] = replace(problems[0], fix=fix)
        errors.append(KernelBuilderError(f"{share} of {name} can be built here", problems))
    return errors


def _find_at_hand(result: BuildResult) -> list[str]:
    """Return some variants of the same backends, not asked for, whose sources are in the store."""
    backends = {each["backend"] for each in result.selected}
    others = [each for each in result.manifest["variants"] if not each["asked"]]
    names = [each["name"] for each in others if each["backend"] in backends]
    if not names or not result.kernel:
        return []
    apply = f"f: f {{ names = {nix_list(names)}; backends = [ ]; }}"
    found = result.kernel.evaluate("manifestOf", apply)["variants"]
    drvs = {each["drv"]: each["name"] for each in found if each["asked"] and "drv" in each}
    missing = find_missing([*drvs])
    lacking = {drv for drv in drvs if any(it.is_source for it in missing.list_unbuilt([drv]))}
    return shorten([drvs[drv] for drv in drvs if drv not in lacking], VARIANTS_SHOWN)
