"""Builds variants again from the commit of the kernel that they name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import tomli

from kernel_builder.kernel.flake_lock import find_input
from kernel_builder.kernel.untrusted import BUILDER, Checkout, UntrustedKernel, find_hash
from kernel_builder.machine.files import read_file
from kernel_builder.machine.git import check_out, find_git_root
from kernel_builder.messages.errors import KernelBuilderError, Problem, UsageError
from kernel_builder.messages.terminal import say
from kernel_builder.variants.build import BuildResult, build_kernel
from kernel_builder.variants.request import Choice, Limits

# What provenance tells of.
_KNOWN: Final = ("kernel", "kernel-builder")
_COMMIT: Final = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_ADDRESS: Final = re.compile(r"https://[!-~]+")
_NO_SOURCE: Final = "no source in metadata.json"
_AGAIN: Final = "ask who published it for a build of a commit, from a folder without changes"


@dataclass(frozen=True)
class Origin:
    """The source of a kernel: its name, where it is (an address or a folder), and the commit."""

    kernel: str
    source: str
    commit: str

    def __str__(self) -> str:
        # The name is whatever was published.
        return f"{self.kernel!r} of {self.source} at {self.commit}"


def read_origin(variant: str, metadata: Mapping[str, Any], source: str | None) -> Origin | Problem:
    """Return what a variant was built from, at `source` if given, or why that is not known."""
    try:
        facts = {what: metadata["provenance"].get(what, {}) for what in _KNOWN}
        commit = str(facts["kernel"].get("commit"))
        dirty = [what for what in _KNOWN if facts[what].get("dirty")]
    except (AttributeError, KeyError):
        commit, dirty = "", []
    stated = source or str(metadata.get("source"))
    if dirty:
        found = f"built while {' and '.join(dirty)} had changes that are not committed"
        return Problem(variant, found, "a build of what a commit has", _AGAIN)
    if not _COMMIT.fullmatch(commit):
        found = "provenance in metadata.json names no commit of the kernel"
        return Problem(variant, found, "the commit that it was built from", _AGAIN)
    # What is published decides about no program: git knows addresses that are commands.
    if not source and not _ADDRESS.fullmatch(stated):
        found = f"source in metadata.json is {stated!r}" if "source" in metadata else _NO_SOURCE
        want = "the https:// address of the kernel's repository"
        fix = f"give one that has the commit {commit}: --source ADDRESS, or a clone's folder"
        return Problem(variant, found, want, fix)
    return Origin(str(metadata.get("name")), stated, commit)


@contextmanager
def build_again(
    origin: Origin, names: Sequence[str], limits: Limits
) -> Iterator[tuple[BuildResult, str]]:
    """Build variants of a commit; yield the report, and which kernel-builder built them.

    The kernel is not the user's. The checkout is a temporary folder.
    """
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
    if said := check_out(source, origin.commit, place):
        fix = "give another place that has it: --source ADDRESS, or a clone's folder"
        problem = Problem(str(origin), said, "a commit that git can fetch", fix)
        raise KernelBuilderError("the kernel cannot be had as it was", [problem])
    found = [
        file.parent
        for file in sorted((place / below).rglob("build.toml"))
        if _name_of(file) == origin.kernel and (file.parent / "flake.nix").is_file()
    ]
    if len(found) == 1:
        return found[0]
    listed = "\n".join(str(each.relative_to(place)) for each in found)
    want = f"one folder with a flake.nix and a build.toml whose name is {origin.kernel!r}"
    fix = "give the kernel's folder in a clone: --source CLONE/FOLDER"
    problem = Problem(str(origin), listed or "none", want, fix)
    raise KernelBuilderError(f"which kernel it was is not clear: {len(found)} fit", [problem])


def _name_of(file: Path) -> Any:
    try:
        return tomli.loads(read_file(file).decode())["general"]["name"]
    except (ValueError, LookupError, TypeError, RecursionError, KernelBuilderError):
        return None
