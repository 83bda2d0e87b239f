"""Builds the chosen variants of a kernel and links their bundle."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kernel_builder import nix
from kernel_builder.kernel.folder import Kernel
from kernel_builder.kernel.manifest import (
    Manifest,
    Variant,
    collect_warnings,
    select_variants,
    show_warnings,
)
from kernel_builder.machine.files import list_files
from kernel_builder.messages.errors import KernelBuilderError, Problem, shorten
from kernel_builder.nix.derivations import DEFAULT_STORE
from kernel_builder.nix.quoting import nix_list
from kernel_builder.settings import current_settings
from kernel_builder.variants.table import AVAILABLE, Choice, Limits, Row, Run, State

UNITS_SHOWN = 3


@dataclass
class BuildResult:
    """The result of `build_kernel`.

    `bundle` is the folder in the store with all built variants, and `link` leads to it; both are
    None if nothing was built. `errors` is empty if everything that was asked for was built.
    `derivations` has the derivation of each variant by its name. `started` is a reading of the
    monotonic clock, `seconds` is the time of the whole build.
    """

    manifest: Manifest
    rows: list[Row]
    bundle: str | None
    link: Path | None
    errors: list[KernelBuilderError]
    run: Run
    derivations: Mapping[str, str]
    started: float
    seconds: float

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
        }


def build_kernel(
    kernel: Kernel, choice: Choice, limits: Limits, name: str = "result"
) -> BuildResult:
    """Build the chosen variants and link their bundle as `name` in the kernel's folder.

    Sources that are missing are fetched through the machine's own pip and apt. A variant whose
    sources cannot be had is left out; a variant that fails does not stop the others. Neither
    raises: the result says so. Raises KernelBuilderError if the kernel cannot be evaluated or the
    bundle cannot be linked.
    """
    started = time.monotonic()
    is_linked = not current_settings().untrusted and not limits.dry_run
    link = _choose_link(kernel.folder, name) if is_linked else None
    kernel.warn_of_untracked()
    names, backends = nix_list(choice.names), nix_list(choice.backends)
    requested = f"f: f {{ names = {names}; backends = {backends}; }}"
    manifest = kernel.evaluate("manifestOf", requested)
    selected = select_variants(manifest, choice.names, choice.backends)
    show_warnings(manifest["name"], collect_warnings(kernel, manifest))
    evaluated = time.monotonic() - started
    buildable = [variant for variant in selected if "drv" in variant]
    bundle = manifest["bundle"]
    run = _realise_variants([*buildable, *([bundle] if bundle else [])], limits)
    run.left_out = [*_describe_unavailable(selected), *run.left_out]
    run.seconds_before = {"evaluation": evaluated, **run.seconds_before}
    rows = [_make_row(variant, run.states) for variant in selected]
    built = [row.variant for row in rows if row.out]
    path = None
    if built and not limits.dry_run:
        if len(built) < len(buildable):
            bundle = kernel.evaluate("bundleOf", f"f: ({nix.OUTLINE}) (f {nix_list(built)})")
        path = _link_bundle(bundle, link)
    errors = _collect_errors(manifest, rows, run, choice.require_all)
    derivations = {variant["name"]: variant["drv"] for variant in buildable}
    seconds = time.monotonic() - started
    return BuildResult(manifest, rows, path, link, errors, run, derivations, started, seconds)


def _choose_link(folder: Path, name: str = "result") -> Path:
    """Return where the result is linked: in `folder`, or here if `folder` is read-only.

    Raises before anything is built if both are, or if something else is there.
    """
    link = (folder if os.access(folder, os.W_OK) else Path.cwd()) / name
    is_result = link.is_symlink() and str(link.readlink()).startswith(f"{DEFAULT_STORE}/")
    if not os.access(link.parent, os.W_OK):
        problem = Problem(
            at=str(link.parent),
            found="a folder that cannot be written to",
            want="the kernel's folder or the current one to be writable",
            fix="run it in a folder of yours: cd && kernel-builder build FOLDER",
        )
    elif os.path.lexists(link) and not is_result:
        found, want = "something else", "nothing, or the link of an earlier build"
        problem = Problem(str(link), found, want, "move it away")
    else:
        return link
    raise KernelBuilderError("the result cannot be linked", [problem])


def _realise_variants(variants: Sequence[Variant], limits: Limits) -> Run:
    """Build or, in a dry run, predict what is not in the store; the bundle comes last."""
    invalid = nix.find_invalid(variant["out"] for variant in variants)
    unbuilt = [variant["drv"] for variant in variants if variant["out"] in invalid]
    run = Run()
    if limits.dry_run and unbuilt:
        from kernel_builder.sources.missing import find_missing

        # Checks the sources before Nix asks any cache for them.
        find_missing(unbuilt)
        to_build = nix.find_unbuilt(unbuilt)
        for drv in unbuilt:
            run.states[drv] = State.TO_BUILD if drv in to_build else State.TO_FETCH, ""
    elif unbuilt:
        from kernel_builder.variants.make import build_derivations

        run = build_derivations(unbuilt, limits)
    cached = {variant["drv"]: (State.CACHED, "") for variant in variants}
    run.states = {**cached, **run.states}
    return run


def _make_row(variant: Variant, states: Mapping[str, tuple[State, str]]) -> Row:
    name, backend = variant["name"], variant["backend"]
    if "drv" not in variant:
        return Row(name, backend, State.LEFT_OUT, variant["unavailable"])
    state, why = states[variant["drv"]]
    if partial := variant.get("partial"):
        why = f"partial: {' '.join(partial)}" + (f"; {why}" if why else "")
    if state not in AVAILABLE:
        return Row(name, backend, state, why)
    full = list_fallbacks(variant.get("reports", ()))
    notes = {"compiled whole": variant.get("whole", ()), "full headers": full}
    shown = (f"{note}: {', '.join(shorten(of, UNITS_SHOWN))}" for note, of in notes.items() if of)
    why = "; ".join(filter(None, (why, *shown)))
    size = measure_size(Path(variant["out"]))
    return Row(name, backend, state, why, variant["out"], size, variant.get("notImported") or "")


def list_fallbacks(reports: Iterable[str]) -> list[str]:
    """Return the units whose device code needed Torch's full headers.

    `reports` are files that compiles write beside their objects. The objects of a variant that
    was fetched whole need not be in the store, so files that are missing are ignored.
    """
    read = (json.loads(each.read_bytes()) for each in map(Path, reports) if each.is_file())
    parts = (part for parts in read for part in parts)
    full = (each for each in parts if each["headers"] == "full" and each["part"] != "host")
    return list(dict.fromkeys(each["unit"] for each in full))


def measure_size(path: Path) -> int:
    """Return the bytes of a file, or of all files below a folder; 0 in another machine's store."""
    if not os.path.lexists(path):
        return 0
    files = list_files(path).values() if path.is_dir() else [path]
    return sum(file.lstat().st_size for file in files)


def _describe_unavailable(selected: Sequence[Variant]) -> list[Problem]:
    """Return a problem for each reason for which variants cannot be built here."""
    names: dict[str, list[str]] = {}
    for variant in selected:
        if "drv" not in variant:
            names.setdefault(variant["unavailable"], []).append(variant["name"])
    want, fix = "variants that can be built here", "select others with --variant or --backend"
    return [Problem("\n".join(names[why]), why, want, fix) for why in names]


def _link_bundle(bundle: Mapping[str, str], link: Path | None) -> str:
    """Build the bundle if need be, link it, and return its path."""
    if nix.find_invalid([bundle["out"]]):
        from kernel_builder.variants.make import make_path

        make_path(bundle, "the bundle cannot be put together")
    if link:
        nix.link_result(bundle["drv"], link)
    return bundle["out"]


def _collect_errors(
    manifest: Manifest, rows: Sequence[Row], run: Run, require_all: bool
) -> list[KernelBuilderError]:
    name = manifest["name"]
    if not rows:
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
