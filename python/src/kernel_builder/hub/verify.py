"""Builds published variants again from the commits that they name, and compares every file.

The kernel is treated as a stranger's: its lock is checked before Nix reads it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from glob import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

import tomli

from kernel_builder.hub.bundle import (
    NO_VARIANT,
    BuiltVariant,
    Bundle,
    find_other_list,
    find_strays,
    read_bundle,
)
from kernel_builder.kernel.untrusted import BUILDER, UntrustedKernel, find_hash, find_system
from kernel_builder.machine.files import list_files, read_file
from kernel_builder.machine.git import check_out, find_git_root
from kernel_builder.messages.errors import KernelBuilderError, Problem, UsageError, find_unknown
from kernel_builder.messages.names import show
from kernel_builder.messages.terminal import say
from kernel_builder.sources.coordinates import REPOSITORY
from kernel_builder.variants.build import BuildResult, build_kernel
from kernel_builder.variants.result import METADATA, SIGNATURE, hash_as_stated, list_beside
from kernel_builder.variants.table import Choice, Limits

_REPOSITORY: Final = re.compile(rf"({REPOSITORY})(?:@([\w./-]+))?", re.ASCII)
_COMMIT: Final = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_ADDRESS: Final = re.compile(r"https://[!-~]+")
OTHER: Final = "other bytes"
NEW: Final = "no build gives it"
_SYSTEM: Final = re.compile(r"-(aarch64|x86_64)-(linux|darwin|windows)$")


class Origin(NamedTuple):
    """The source of a kernel: its name, its repository (an address or a folder), its commit."""

    kernel: str
    source: str
    commit: str

    def __str__(self) -> str:
        # The name comes from a stranger.
        return f"{self.kernel!r} of {self.source} at {self.commit}"


def verify_published(
    what: str, names: Sequence[str], source: str | None, limits: Limits
) -> dict[str, Any]:
    """Build published variants again and compare, as `kernel_builder.verify_kernel` describes."""
    title, groups, skipped = what, dict[Origin, dict[str, BuiltVariant]](), dict[str, str]()
    rebuilt: list[dict[str, str]] = []
    differences: dict[str, str] = {}
    errors: list[str] = []
    benchmarks: dict[str, set[str]] = {}
    with TemporaryDirectory(prefix="kernel-builder-") as folder:
        place = Path(what)
        if not place.exists():
            place = Path(folder)
            title, strays = fetch_published(what, names, place)
            differences |= dict.fromkeys(strays, NO_VARIANT)
        bundle = read_bundle(place)
        if unknown := find_unknown("--variant", names, [each.name for each in bundle.variants]):
            raise UsageError(f"{title} has no such variants", unknown)
        for stray in find_strays(bundle, variants_only=bundle.root is None):
            differences[stray.at] = stray.found
        for variant in bundle.variants:
            if why := _why_skipped(variant.name, names):
                skipped[variant.name] = why
            else:
                origin = _read_origin(variant, source)
                groups.setdefault(origin, {})[variant.name] = variant
        for origin, group in groups.items():
            result, builder = _build_again(origin, [*group], limits)
            errors += map(str, result.errors)
            states = {row.variant: row.state.value for row in result.rows}
            if not result.bundle:
                continue
            again = read_bundle(Path(result.bundle))
            for path, file in again.list_benchmarks():
                benchmarks.setdefault(path, set()).add(hash_as_stated(file))
            for each in again.variants:
                row = {"variant": each.name, "origin": str(origin), "builder": builder}
                rebuilt.append({**row, "state": states[each.name]})
                differences |= _compare(bundle, group[each.name], each)
        # Those of several commits may be those of a variant that is not built here.
        commits = {str(variant.metadata.get("provenance")) for variant in bundle.variants}
        for path, file in bundle.list_benchmarks() if rebuilt and len(commits) == 1 else ():
            if hash_as_stated(file) not in benchmarks.get(path, ()):
                differences[path] = OTHER if path in benchmarks else NEW
    return {
        "is-good": bool(rebuilt) and not differences and not errors,
        "title": title,
        "rebuilt": rebuilt,
        "differences": differences,
        "not-compared": skipped,
        "errors": errors,
    }


def _why_skipped(variant: str, names: Sequence[str]) -> str:
    """Return why a variant is not built again here, "" if it is. Empty `names` are all."""
    system = _SYSTEM.search(variant)
    if names and variant not in names:
        return "not asked for"
    here = find_system()
    return f"this machine is {here}" if system and system[0] != f"-{here}" else ""


def fetch_published(what: str, names: Sequence[str], folder: Path) -> tuple[str, list[str]]:
    """Fetch owner/name[@revision] into an empty folder, as it lies on the Hub.

    Return a title, and the names below `build/` that are no variants, fetched or not. Without a
    revision, the newest version is taken; variants that are skipped come without files.
    Raises UsageError if `what` is no repository, KernelBuilderError if it cannot be had.
    """
    named = _REPOSITORY.fullmatch(what)
    if named is None:
        want = "a folder, or a repository as owner/name or owner/name@revision"
        problem = Problem("REPO|DIR", f'"{what}"', want, "correct it")
        raise UsageError(f"{what} is neither a folder nor a repository", [problem])
    from kernel_builder.hub.client import KERNEL, connect, list_remote, retry

    hub, repo_id = connect(), named[1]

    def fetch() -> tuple[str, list[str]]:
        branches = [each.name for each in hub.list_repo_refs(repo_id, repo_type=KERNEL).branches]
        versions = [int(name[1:]) for name in branches if re.fullmatch(r"v\d+", name)]
        revision = named[2] or (f"v{max(versions)}" if versions else "main")
        last = hub.list_repo_commits(repo_id, repo_type=KERNEL, revision=revision)[0]
        files = list_remote(hub, repo_id, last.commit_id)
        if not any(path.endswith(f"/{METADATA}") for path in files):
            raise ValueError(f"no build/*/{METADATA} at {revision}")
        built = {path: path.split("/")[1] for path in files if path.startswith("build/")}
        variants = {name for name in built.values() if f"build/{name}/{METADATA}" in files}
        # Names of strangers may have the signs of a pattern.
        wanted = [
            f"build/{escape(name)}/*" for name in {*built.values()} if not _why_skipped(name, names)
        ]
        patterns = ["provenance/*", "benchmarks/*", f"build/*/{METADATA}", *wanted]
        hub.snapshot_download(
            repo_id, repo_type=KERNEL, revision=last.commit_id, local_dir=folder,
            allow_patterns=patterns,
        )  # fmt: skip
        title = f"{repo_id}@{revision}, commit {last.commit_id[:12]} by {', '.join(last.authors)}"
        return title, [show(name) for name in {*built.values()} - variants]

    return retry(fetch, repo_id, "download from")


def _read_origin(variant: BuiltVariant, source: str | None) -> Origin:
    """Return the source of a variant. Raises KernelBuilderError if it does not say enough."""
    provenance = variant.provenance if isinstance(variant.provenance, dict) else {}
    facts = {key: each for key, each in provenance.items() if isinstance(each, dict)}
    commit = str(facts.get("kernel", {}).get("commit"))
    address = source or str(variant.metadata.get("source"))
    dirty = [key for key in ("kernel", BUILDER) if facts.get(key, {}).get("dirty")]
    found, want = "", "a build of a commit"
    if dirty:
        found = f"built while {' and '.join(dirty)} had changes that are not committed"
    elif not _COMMIT.fullmatch(commit):
        found = f"provenance in {METADATA} names no commit of the kernel"
    # Published text starts no program: git knows addresses that are commands.
    elif not source and not _ADDRESS.fullmatch(address):
        found, want = f"the source {address!r}", "the https:// address of the kernel's repository"
    if found:
        fix = "give a place that has its commit (--source ADDRESS), or ask who published it"
        problem = Problem(variant.name, found, want, fix)
        raise KernelBuilderError("a variant does not say enough to be built again", [problem])
    return Origin(str(variant.metadata.get("name")), address, commit)


def _build_again(origin: Origin, names: Sequence[str], limits: Limits) -> tuple[BuildResult, str]:
    """Build variants of a commit in a temporary checkout; return the result and the builder."""
    with TemporaryDirectory(prefix="kernel-builder-") as temporary:
        place = Path(temporary).resolve()
        folder = _find_kernel(origin, place)
        say(f"building again: {origin}")
        kernel = UntrustedKernel(folder, root=place, commit=origin.commit)
        result = build_kernel(kernel, Choice(names=names, require_all=True), limits)
        return result, describe_builder(kernel, result.derivations)


def _compare(bundle: Bundle, published: BuiltVariant, rebuilt: BuiltVariant) -> dict[str, str]:
    """Return by path how a published variant, and its list of sources, differ from the build."""
    found = {path: hash_as_stated(file) for path, file in list_files(published.folder).items()}
    wanted = {**rebuilt.digests, METADATA: hash_as_stated(rebuilt.folder / METADATA)}
    found.pop(SIGNATURE, None)
    differences = {}
    for path in sorted({*found, *wanted}):
        if found.get(path) != wanted.get(path):
            how = OTHER if path in found else "not published"
            how = how if path in wanted else NEW
            differences[f"build/{published.name}/{path}"] = how
    if bundle.root and (other_list := find_other_list(bundle, published)):
        differences[list_beside(published.name)[0]] = other_list
    return differences


def describe_builder(kernel: UntrustedKernel, derivations: Mapping[str, str]) -> str:
    """Return which kernel-builder made the derivations, as far as that can be known."""
    found = kernel.find_builder(derivations)
    if found is None:
        return "by its own flake.nix, which is more than a call of kernel-builder: read it"
    locked = found["locked"]
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
    source, below = origin.source, "."
    if (local := Path(source).resolve()).is_dir():
        # One kernel of a repository with several.
        root = find_git_root(local) or local
        source, below = str(root), local.relative_to(root).as_posix()
    if error := check_out(source, origin.commit, place):
        fix = "give another place that has it: --source ADDRESS, or a clone's folder"
        problem = Problem(str(origin), error, "a commit that git can fetch", fix)
        raise KernelBuilderError("the kernel cannot be had as it was", [problem])
    files = sorted((place / below).rglob("build.toml"))
    found = [file.parent for file in files if _read_name(file) == origin.kernel]
    if len(found) == 1:
        return found[0]
    listed = "\n".join(str(each.relative_to(place)) for each in found) or "none"
    want, fix = "one folder with a build.toml of this name", "--source CLONE/FOLDER"
    problem = Problem(str(origin), listed, want, fix)
    raise KernelBuilderError(f"which kernel it was is not clear: {len(found)} fit", [problem])


def _read_name(file: Path) -> Any:
    try:
        return tomli.loads(read_file(file).decode())["general"]["name"]
    except (ValueError, LookupError, TypeError, RecursionError, KernelBuilderError):
        return None
