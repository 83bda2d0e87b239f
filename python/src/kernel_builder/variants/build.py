"""Builds the selected variants of a kernel: what is there stays, what cannot be had is left out."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kernel_builder import nix
from kernel_builder.kernel.folder import Kernel
from kernel_builder.kernel.manifest import (
    Manifest,
    Variant,
    describe_part,
    select_variants,
    show_warnings,
)
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.names import quote
from kernel_builder.messages.terminal import say
from kernel_builder.nix.derivations import DEFAULT_STORE
from kernel_builder.nix.quoting import nix_list
from kernel_builder.settings import current_settings
from kernel_builder.variants.request import Choice, Limits
from kernel_builder.variants.sizes import measure
from kernel_builder.variants.table import (
    Made,
    Row,
    State,
    as_data,
    describe_headers,
    describe_precompiled,
    describe_whole,
)

THERE = (State.BUILT, State.FETCHED, State.CACHED)


@dataclass
class Report:
    """The end of a build; `errors` is empty if all went as it should.

    `derivations` are those of the variants, by their names, and `bundle` is the bundle's, if there
    is one, or would be; `started` is a time of the clock.
    """

    manifest: Manifest
    rows: list[Row]
    result: str | None
    link: Path | None
    errors: list[KernelBuilderError]
    run: Made
    derivations: Mapping[str, str]
    bundle: str | None
    started: float
    seconds: float

    def as_data(self) -> dict[str, Any]:
        """Return the report as it goes into JSON."""
        return {
            "name": self.manifest["name"],
            "system": self.manifest["system"],
            "result": self.result,
            "variants": as_data(self.rows),
            "built": dict(self.run.built),
            "fetched": dict(self.run.fetched),
            "problems": [each for error in self.errors for each in error.as_data()],
            "left_out": [problem.as_data() for problem in self.run.left_out],
        }


def build_kernel(kernel: Kernel, choice: Choice, limits: Limits) -> Report:
    """Build the chosen variants and let `result` in the kernel's folder be their bundle."""
    started = time.monotonic()
    names, backends = nix_list(choice.names), nix_list(choice.backends)
    asked = f"f: f {{ names = {names}; backends = {backends}; }}"
    link = None if current_settings().untrusted else _choose_link(kernel.folder, limits.dry_run)
    if link and not limits.dry_run:
        # Nix would say so after hours of work.
        _require_own(link)
    kernel.warn_of_untracked()
    manifest = kernel.evaluate("manifestOf", asked)
    selected = select_variants(manifest, choice.names, choice.backends)
    show_warnings(kernel, manifest)
    run = Made(left_out=_describe_unavailable(selected))
    run.before["evaluation"] = time.monotonic() - started
    wanted = {variant["drv"]: variant["out"] for variant in selected if "drv" in variant}
    bundle = manifest["bundle"]
    outs = {**wanted, **({bundle["drv"]: bundle["out"]} if bundle else {})}
    invalid = nix.find_invalid(outs.values())
    run.ends = {drv: (State.CACHED, "") for drv, out in outs.items() if out not in invalid}
    unbuilt = [drv for drv, out in wanted.items() if out in invalid]
    if unbuilt and limits.dry_run:
        run.ends.update(_foretell(unbuilt))
    elif unbuilt:
        from kernel_builder.variants.make import make

        # The bundle of all of them as well: it is there at once if nothing goes wrong.
        made = make([*unbuilt, bundle["drv"]], limits)
        made.ends = {**run.ends, **made.ends}
        made.left_out = run.left_out + made.left_out
        made.before = run.before | made.before
        run = made
    rows = [_row(variant, run.ends) for variant in selected]
    there = [row.variant for row in rows if row.out]
    result = None
    if there and len(there) < len(wanted):
        bundle = kernel.evaluate("bundleOf", f"f: ({nix.OUTLINE}) (f {nix_list(there)})")
    if there and not limits.dry_run:
        result = _link(bundle, link, run)
    errors = _judge(manifest, rows, run, choice.require_all)
    derivations = {each["name"]: each["drv"] for each in selected if "drv" in each}
    seconds = time.monotonic() - started
    if limits.max_size is not None:
        from kernel_builder.variants.budget import refuse_large

        errors += refuse_large(kernel, rows, limits.max_size)
    drv = bundle["drv"] if bundle and (there or limits.dry_run) else None
    report = Report(manifest, rows, result, link, errors, run, derivations, drv, started, seconds)
    if limits.keep and not limits.dry_run:
        from kernel_builder.variants.contents import find_contents, keep

        keep(find_contents(report), limits.keep)
    return report


def _choose_link(folder: Path, dry_run: bool = False) -> Path:
    """Return where the result is linked: by the kernel, or here if that cannot be written to."""
    here = Path.cwd()
    place = next((each for each in (folder, here) if os.access(each, os.W_OK)), None)
    if place is None and not dry_run:
        problem = Problem(
            at=str(here),
            found="a folder that cannot be written to, as the kernel's cannot",
            want="a place for the link `result`",
            fix=f"start it in a folder of yours: cd && kernel-builder build {quote(str(folder))}",
        )
        raise KernelBuilderError("the result cannot be linked", [problem])
    return (place or here) / "result"


def _require_own(link: Path) -> None:
    """Raise unless a result may be linked here: there is nothing, or a link into the store."""
    if not os.path.lexists(link):
        return
    found = "a folder" if link.is_dir() else "a file"
    if link.is_symlink():
        found = f"a link to {link.readlink()}"
        if found.startswith(f"a link to {DEFAULT_STORE}/"):
            return
    problem = Problem(str(link), found, "nothing, or the link of an earlier build", "move it away")
    raise KernelBuilderError(f"{link} is in the way of the result", [problem])


def _foretell(derivations: Sequence[str]) -> dict[str, tuple[State, str]]:
    """Return what a build would do with derivations that are not there."""
    from kernel_builder.sources.missing import find_missing, select_needed

    missing, to_make = find_missing(derivations), nix.foretell(derivations)
    sources = [source for source in missing.sources if source.derivation in to_make]
    for source in sources:
        say(f"to fetch: {source.label}")
    ends = {}
    for derivation in derivations:
        count = len(select_needed(missing, derivation, sources))
        state = State.TO_BUILD if derivation in to_make else State.TO_FETCH
        ends[derivation] = state, f"{count} source{'s' * (count > 1)} to fetch" if count else ""
    return ends


def _row(variant: Variant, ends: Mapping[str, tuple[State, str]]) -> Row:
    name, backend = variant["name"], variant["backend"]
    if "drv" not in variant:
        return Row(name, backend, State.LEFT_OUT, variant["unavailable"])
    state, why = ends[variant["drv"]]
    if state not in THERE:
        return Row(name, backend, state, "; ".join(filter(None, (describe_part(variant), why))))
    told = (
        describe_part(variant),
        why,
        describe_whole(variant.get("whole", ())),
        describe_headers(variant.get("reports", ())),
        describe_precompiled(variant.get("precompiled", ())),
    )
    notes = "; ".join(filter(None, told))
    out = variant["out"]
    unchecked = variant.get("notImported") or ""
    return Row(name, backend, state, notes, out, measure(Path(out)), unchecked)


def _describe_unavailable(selected: Sequence[Variant]) -> list[Problem]:
    """Return a problem for each reason that keeps variants from being built here."""
    shared: dict[str, list[str]] = {}
    for variant in selected:
        if "drv" not in variant:
            shared.setdefault(variant["unavailable"], []).append(variant["name"])
    return [
        Problem(
            at="\n".join(names),
            found=why,
            want="variants that can be built here",
            fix="select others with --variant or --backend",
        )
        for why, names in shared.items()
    ]


def _link(bundle: Mapping[str, str], link: Path | None, run: Made) -> str | None:
    """Put the bundle together if need be, and link it if asked to; return where it is."""
    state, _ = run.ends.get(bundle["drv"], (None, ""))
    if state is State.FAILED:
        return None
    if state not in THERE and nix.find_invalid([bundle["out"]]):
        from kernel_builder.variants.make import complete_bundle

        complete_bundle(bundle["drv"])
    if link is None:
        nix.realise([bundle["drv"]], lambda _: True)
    else:
        nix.link_result(bundle["drv"], link)
    return bundle["out"]


def _judge(
    manifest: Manifest, rows: Sequence[Row], run: Made, require_all: bool
) -> list[KernelBuilderError]:
    """Return what has to be reported as an error."""
    name = manifest["name"]
    if not rows:
        fix = "let [general] backends name a backend of this system, or widen the limits"
        found = f"no variant for {manifest['system']}"
        if manifest["variants"]:
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
