"""The result of building a kernel: its rows, errors and findings, and links to what was built."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any, Final

from kernel_builder import nix
from kernel_builder.kernel.folder import Kernel
from kernel_builder.kernel.manifest import Manifest, Variant, explain_absence, find_nearest
from kernel_builder.machine import cache
from kernel_builder.messages.errors import KernelBuilderError, Problem, shorten
from kernel_builder.nix.quoting import nix_list
from kernel_builder.variants.make import Run, make_path
from kernel_builder.variants.missing import find_missing
from kernel_builder.variants.result import FINDINGS, choose_link, show_findings
from kernel_builder.variants.table import AVAILABLE, Choice, Row, State, make_row

# Outlines of bundles of some variants, in the user's cache.
OUTLINES: Final = "outlines.json"
SECONDS_KEPT: Final = 7 * 86400
# Other variants that a message names.
VARIANTS_SHOWN: Final = 3
# The row of a kernel of which `Choice.select` takes nothing.
UP_TO_DATE: Final = Row("", "", State.UP_TO_DATE, "the Hub lacks none of these variants")
# A command line can hold as many.
STEPS_READ: Final = 2000


@dataclass
class BuildResult:
    """The result of building a kernel.

    `label` is its name for people, `kernel` is None if it could not be evaluated. `alternatives`
    are the manifests of variants to take if the sources of this one cannot be had. `bundle` is the
    folder in the store with all built variants, None if nothing was built, and `link` leads to it.
    `wheels` is the folder of `build_wheels`. `errors` is empty if everything that was asked for was
    built. `warnings` are the findings of its steps. `started` is a reading of the monotonic clock,
    `seconds` is the time of the whole build.
    """

    label: str
    manifest: Manifest
    started: float
    kernel: Kernel | None = None
    alternatives: Iterator[tuple[str, Manifest]] | None = None
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
        notes = self.kernel.notes if self.kernel else ()
        return [*notes, *self.manifest.get("unlisted", ())]

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


def conclude(result: BuildResult, kernel: Kernel, choice: Choice, *, alone: bool) -> None:
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
        if at_hand := [] if built else _find_at_hand(result):
            fix = f"{problems[0].fix};\nor build one whose sources are here: {', '.join(at_hand)}"
            problems[0] = replace(problems[0], fix=fix)
        errors.append(KernelBuilderError(f"{share} of {name} can be built here", problems))
    return errors


def _find_at_hand(result: BuildResult) -> list[str]:
    """Return some variants of the same backends, not asked for, whose sources are in the store."""
    backends = {each["backend"] for each in result.selected}
    left = [each for each in result.manifest["variants"] if not each["asked"]]
    names = [each["name"] for each in left if each["backend"] in backends]
    if not names or not result.kernel:
        return []
    apply = f"f: f {{ names = {nix_list(names)}; backends = [ ]; }}"
    found = result.kernel.evaluate("manifestOf", apply)["variants"]
    drvs = {each["drv"]: each["name"] for each in found if each["asked"] and "drv" in each}
    missing = find_missing([*drvs])
    lacking = {drv for drv in drvs if any(it.is_source for it in missing.list_unbuilt([drv]))}
    return shorten([drvs[drv] for drv in drvs if drv not in lacking], VARIANTS_SHOWN)
