"""Builds published variants again from the commits that they name, and compares every file.

The kernel is treated as a stranger's: its lock is checked before Nix reads it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import tomli

from kernel_builder.hub import to_data
from kernel_builder.hub.bundle import (
    BuiltVariant,
    Bundle,
    find_edits,
    find_other_list,
    find_strays,
    read_bundle,
    read_digests,
)
from kernel_builder.hub.published import fetch_published, why_skipped
from kernel_builder.kernel.flake_lock import find_input
from kernel_builder.kernel.untrusted import BUILDER, Checkout, UntrustedKernel, find_hash
from kernel_builder.machine.files import hash_file, list_files, read_file
from kernel_builder.machine.git import check_out, find_git_root
from kernel_builder.messages.choices import find_unknown
from kernel_builder.messages.errors import KernelBuilderError, Problem, UsageError
from kernel_builder.messages.names import show
from kernel_builder.messages.terminal import say
from kernel_builder.variants.build import BuildResult, build_kernel
from kernel_builder.variants.result import METADATA, list_beside
from kernel_builder.variants.table import Choice, Limits

_COMMIT: Final = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_ADDRESS: Final = re.compile(r"https://[!-~]+")


@dataclass(frozen=True)
class Origin:
    """The source of a kernel: its name, its repository (an address or a folder), its commit."""

    kernel: str
    source: str
    commit: str

    def __str__(self) -> str:
        # The name is whatever was published.
        return f"{self.kernel!r} of {self.source} at {self.commit}"


@dataclass
class Verdict:
    """The result of a verification.

    `rebuilt` lists the variants that were built again, with `origin`, `builder` and `state`.
    `differences` says by path how published files differ from the build, `not_compared` by variant
    why it was left out.
    """

    title: str
    rebuilt: list[dict[str, str]] = field(default_factory=list)
    differences: dict[str, str] = field(default_factory=dict)
    not_compared: dict[str, str] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)

    @property
    def is_good(self) -> bool:
        """True if something was built again, and every published file is what its commit gives."""
        return bool(self.rebuilt) and not self.differences and not self.errors

    def as_data(self) -> dict[str, Any]:
        """Return the verdict as JSON data."""
        return {"is-good": self.is_good, **to_data(self)}

    def as_text(self) -> str:
        """Return the verdict for people."""
        lines = [self.title]
        for each in self.rebuilt:
            lines += [f"  {each['variant']} ({each['state']})", f"    built from {each['origin']}"]
            lines += [f"    {each['builder']}"]
        lines += [f"  {name} is not compared: {why}" for name, why in self.not_compared.items()]
        same = "all files are the same" if self.is_good else "not all is what its commit gives"
        lines += [same if not self.differences else f"{len(self.differences)} files differ:"]
        lines += [f"  {path}: {how}" for path, how in self.differences.items()]
        # Names are whatever was published.
        return "\n".join(map(show, lines))


def verify_published(
    what: str, names: Sequence[str], source: str | None, limits: Limits
) -> Verdict:
    """Build published variants again and compare, as `kernel_builder.verify_kernel` describes."""
    with TemporaryDirectory(prefix="kernel-builder-") as folder:
        verdict = Verdict(what)
        place = Path(what)
        if not place.exists():
            place = Path(folder)
            verdict.title, verdict.not_compared = fetch_published(what, names, place)
        bundle = read_bundle(place)
        if unknown := find_unknown("--variant", names, [each.name for each in bundle.variants]):
            raise UsageError(f"{verdict.title} has no such variants", unknown)
        for stray in find_strays(bundle, variants_only=bundle.root is None):
            verdict.differences[stray.at] = stray.found
        for origin, group in _group(bundle, names, source, verdict).items():
            with _build_again(origin, [*group], limits) as (result, builder):
                verdict.errors += map(str, result.errors)
                built = {row.variant: row.state.value for row in result.rows if row.out}
                rebuilt = read_bundle(Path(result.bundle)).variants if result.bundle else ()
                for each in rebuilt:
                    row = {"variant": each.name, "origin": str(origin), "builder": builder}
                    verdict.rebuilt.append({**row, "state": built[each.name]})
                    verdict.differences |= _compare(bundle, group[each.name], each)
    return verdict


def _group(
    bundle: Bundle, names: Sequence[str], source: str | None, verdict: Verdict
) -> dict[Origin, dict[str, BuiltVariant]]:
    """Return the variants to build again by origin and name."""
    groups: dict[Origin, dict[str, BuiltVariant]] = {}
    problems = []
    for variant in bundle.variants:
        if why := why_skipped(variant.name, names):
            verdict.not_compared[variant.name] = why
            continue
        origin = _read_origin(variant.name, variant.metadata, source)
        if isinstance(origin, Problem):
            problems.append(origin)
        else:
            groups.setdefault(origin, {})[variant.name] = variant
    if problems:
        headline = f"{len(problems)} variants do not say enough to be built again"
        raise KernelBuilderError(headline, problems)
    return groups


def _compare(bundle: Bundle, published: BuiltVariant, rebuilt: BuiltVariant) -> dict[str, str]:
    """Return by path how a published variant, and its list of sources, differ from the build."""
    stated, wanted = read_digests(published), read_digests(rebuilt)
    edited, there = find_edits(published), list_files(published.folder)
    found = {}
    for path in sorted({*stated, *wanted, *edited}):
        if path not in wanted:
            found[path] = "no build gives it"
        elif path not in there:
            found[path] = "not published"
        elif path in edited or stated[path] != wanted[path]:
            found[path] = "other bytes"
    if hash_file(published.folder / METADATA) != hash_file(rebuilt.folder / METADATA):
        keys = sorted({*published.metadata, *rebuilt.metadata})
        other = [key for key in keys if published.metadata.get(key) != rebuilt.metadata.get(key)]
        found[METADATA] = f"other bytes ({', '.join(other)})"
    differences = {f"build/{published.name}/{path}": how for path, how in found.items()}
    if bundle.root and (other_list := find_other_list(bundle, published)):
        differences[list_beside(published.name)[0]] = other_list
    return differences


def _read_origin(name: str, metadata: Mapping[str, Any], source: str | None) -> Origin | Problem:
    """Return what a variant was built from, or why that is not known."""
    provenance = metadata.get("provenance")
    facts = provenance if isinstance(provenance, dict) else {}
    facts = {key: each for key, each in facts.items() if isinstance(each, dict)}
    commit = str(facts.get("kernel", {}).get("commit"))
    dirty = [key for key in ("kernel", BUILDER) if facts.get(key, {}).get("dirty")]
    fix = "ask who published it for a build of a commit, from a folder without changes"
    if dirty:
        found = f"built while {' and '.join(dirty)} had changes that are not committed"
        return Problem(name, found, "a build of what a commit has", fix)
    if not _COMMIT.fullmatch(commit):
        found = "provenance in metadata.json names no commit of the kernel"
        return Problem(name, found, "the commit that it was built from", fix)
    # Published text starts no program: git knows addresses that are commands.
    stated = source or str(metadata.get("source"))
    if not source and not _ADDRESS.fullmatch(stated):
        known = "source" in metadata
        found = f"source in metadata.json is {stated!r}" if known else "no source in metadata.json"
        want = "the https:// address of the kernel's repository"
        fix = f"give one that has the commit {commit}: --source ADDRESS, or a clone's folder"
        return Problem(name, found, want, fix)
    return Origin(str(metadata.get("name")), stated, commit)


@contextmanager
def _build_again(
    origin: Origin, names: Sequence[str], limits: Limits
) -> Iterator[tuple[BuildResult, str]]:
    """Build variants of a commit in a temporary checkout; yield the report and the builder."""
    with TemporaryDirectory(prefix="kernel-builder-") as temporary:
        place = Path(temporary).resolve()
        folder = _find_kernel(origin, place)
        say(f"building again: {origin}")
        kernel = UntrustedKernel(folder, checkout=Checkout(place, origin.commit))
        try:
            report = build_kernel(kernel, Choice(names=names, require_all=True), limits)
        except UsageError as error:
            problems = [replace(each, at=str(origin)) for each in error.problems]
            raise KernelBuilderError("that commit has other variants", problems) from None
        yield report, describe_builder(kernel, report.derivations)


def describe_builder(kernel: UntrustedKernel, derivations: Mapping[str, str]) -> str:
    """Return which kernel-builder made the derivations, as far as that can be known."""
    found = kernel.find_builder(derivations)
    locked = find_input(kernel.lock, [BUILDER]).get("locked") if found else None
    if found is None or locked is None:
        return "by its own flake.nix, which is more than a call of kernel-builder: read it"
    place = "/".join(str(locked[key]) for key in ("owner", "repo") if key in locked)
    name = f"{locked['type']}:{place or locked['url']} at {found['rev']}, {found['narHash']}"
    try:
        fetched = find_hash(locked)
    except KernelBuilderError:
        return f"with kernel-builder {name} (its commit could not be fetched to compare)"
    if fetched == found["narHash"]:
        return f"with kernel-builder {name}"
    want = f"the tree of that commit, {fetched}"
    problem = Problem("flake.lock", name, want, "do not use this kernel")
    raise KernelBuilderError("flake.lock names a kernel-builder that is another one", [problem])


def _find_kernel(origin: Origin, place: Path) -> Path:
    """Check the commit out and return the kernel's folder in it."""
    source, below = origin.source, ""
    if (local := Path(origin.source)).is_dir():
        local = local.resolve()
        root = find_git_root(local) or local
        # One kernel of a repository with several.
        source, below = str(root), local.relative_to(root).as_posix()
    if error := check_out(source, origin.commit, place):
        fix = "give another place that has it: --source ADDRESS, or a clone's folder"
        problem = Problem(str(origin), error, "a commit that git can fetch", fix)
        raise KernelBuilderError("the kernel cannot be had as it was", [problem])
    found = [
        file.parent
        for file in sorted((place / below).rglob("build.toml"))
        if _read_name(file) == origin.kernel and (file.parent / "flake.nix").is_file()
    ]
    if len(found) == 1:
        return found[0]
    listed = "\n".join(str(each.relative_to(place)) for each in found)
    want = f"one folder with a flake.nix and a build.toml whose name is {origin.kernel!r}"
    fix = "give the kernel's folder in a clone: --source CLONE/FOLDER"
    problem = Problem(str(origin), listed or "none", want, fix)
    raise KernelBuilderError(f"which kernel it was is not clear: {len(found)} fit", [problem])


def _read_name(file: Path) -> Any:
    try:
        return tomli.loads(read_file(file).decode())["general"]["name"]
    except (ValueError, LookupError, TypeError, RecursionError, KernelBuilderError):
        return None
