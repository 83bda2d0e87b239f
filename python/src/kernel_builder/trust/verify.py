"""Builds published variants again from the commits that they name, and compares every file.

A kernel is data here: a kernel-builder that the user trusts is applied to the files of its commit.
"""

import os
import re
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

import tomli

from kernel_builder.hub import REPOSITORY
from kernel_builder.hub.bundle import BuiltVariant, Bundle, read_bundle
from kernel_builder.kernel.folder import MAX_FOLDER_BYTES, note_left_out
from kernel_builder.machine.files import MAX_TEXT_BYTES, list_files, read_file
from kernel_builder.machine.git import find_git_root
from kernel_builder.messages.errors import KernelBuilderError, Problem, UsageError, find_unknown
from kernel_builder.messages.names import show
from kernel_builder.messages.terminal import complain, say
from kernel_builder.nix.systems import find_system, is_for_system
from kernel_builder.trust.clones import BRANCHES, fetch_commit, has_ancestor, write_files
from kernel_builder.trust.flake_text import FLAKE, LOCK
from kernel_builder.trust.strays import NO_PART, find_strays
from kernel_builder.trust.untrusted import UntrustedKernel
from kernel_builder.variants.build import build_kernels
from kernel_builder.variants.result import (
    METADATA,
    hash_as_stated,
    is_signature,
    list_records,
    list_strays,
)
from kernel_builder.variants.table import Choice

_REPOSITORY: Final = re.compile(rf"({REPOSITORY})(?:@([\w./-]+))?", re.ASCII)
_COMMIT: Final = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_ADDRESS: Final = re.compile(r"https://[!-~]+")
OTHER: Final = "other bytes"
LACKING: Final = "not published"
NEW: Final = "no build gives it"


class Origin(NamedTuple):
    """The source of a kernel: its name, its repository (an address or a folder), its commit.

    `is_own` says that HEAD of the folder comes from the commit, so that `build` has trusted it.
    """

    kernel: str
    source: str
    commit: str
    is_own: bool = False

    def __str__(self) -> str:
        # The name comes from a stranger.
        return f"{self.kernel!r} of {self.source} at {self.commit}"


def verify_published(what: str, names: Sequence[str], source: str | None) -> dict[str, Any]:
    """Build published variants again from the commits that they name, and compare every file.

    `what` is a folder with variants, or owner/name@revision on the Hub; `names` are the variants to
    compare, all of this system if empty; `source` has their commits, if not the address that they
    name. The commits of a kernel's folder are looked for in its own repository first. Returns the
    result of `verify --json`. Raises KernelBuilderError if a variant does not name its commit, or
    the commit cannot be had.
    """
    groups = dict[Origin, list[BuiltVariant]]()
    verdict: dict[str, Any] = {"rebuilt": [], "differences": {}, "not-compared": {}}
    verdict |= {"errors": [], "notes": []}
    differences: dict[str, str] = verdict["differences"]
    with TemporaryDirectory(prefix="kernel-builder-") as folder:
        place = Path(what)
        title = f"the folder {show(place.resolve())}"
        if _REPOSITORY.fullmatch(what) or not place.exists():
            if place.exists():
                complain("note", f"{what} is taken for the Hub's; the folder is ./{what}")
            place = Path(folder)
            title, strays = fetch_published(what, names, place)
            differences |= dict.fromkeys(strays, NO_PART)
        bundle = read_bundle(place)
        if unknown := find_unknown("--variant", names, [each.name for each in bundle.variants]):
            raise UsageError(f"{title} has no such variants", unknown)
        is_fetched = place != Path(folder)
        for stray in find_strays(bundle, variants_only=bundle.root is None) if is_fetched else ():
            differences[stray.at] = stray.found
        for variant in bundle.variants:
            if why := _why_skipped(variant.name, names):
                verdict["not-compared"][variant.name] = why
            else:
                groups.setdefault(_read_origin(variant, source, place), []).append(variant)
        benchmarks: list[tuple[str, str]] = []
        for origin, group in groups.items():
            benchmarks += _verify_group(bundle, origin, group, verdict)
        # Benchmarks of several commits may belong to a variant that is not built here.
        commits = {str(variant.metadata.get("provenance")) for variant in bundle.variants}
        is_one = verdict["rebuilt"] and len(commits) == 1
        for path, file in bundle.list_benchmarks() if is_one else ():
            if (path, hash_as_stated(file)) not in benchmarks:
                differences[path] = OTHER if path in dict(benchmarks) else NEW
    compared = {row["variant"] for row in verdict["rebuilt"]}
    requested = {variant.name for group in groups.values() for variant in group} | {*names}
    verdict["notes"] = [*dict.fromkeys(verdict["notes"])]
    is_good = bool(compared) and requested <= compared and not differences
    return {"is-good": is_good, "title": title, **verdict}


def _verify_group(
    bundle: Bundle, origin: Origin, group: Sequence[BuiltVariant], verdict: dict[str, Any]
) -> list[tuple[str, str]]:
    """Build the variants of a commit in a temporary checkout, and compare each with its build.

    Returns path and hash of the benchmarks that the build gives.
    """
    with TemporaryDirectory(prefix="kernel-builder-") as temporary:
        root = Path(temporary).resolve() / "files"
        folder, left_out = _write_kernel(origin, root)
        say(f"building again: {origin}")
        kernel = UntrustedKernel(folder, root=root, commit=origin.commit, is_own=origin.is_own)
        verdict["notes"] += [*note_left_out(left_out), *kernel.notes]
        known = kernel.evaluate("archVariants")
        others = [each.name for each in group if each.name not in known]
        why = "its commit gives no variant of this name"
        verdict["not-compared"] |= dict.fromkeys(others, why)
        names = [each.name for each in group if each.name in known]
        if not names:
            return []
        (result,) = build_kernels([folder], Choice(names), lambda *_: kernel)
    verdict["errors"] += map(str, result.errors)
    rows = {row.variant: row for row in result.rows}
    result_bundle = read_bundle(Path(result.bundle)) if result.bundle else Bundle(None, ())
    for variant in [each for each in group if each.name in rows]:
        row = rows[variant.name]
        if not row.out or not result.bundle:
            verdict["not-compared"][variant.name] = f"{row.state.value}: {row.why}"
            continue
        published = _hash_files(bundle, variant)
        # The output of the variant's own derivation; no build of several has a part in it.
        again = BuiltVariant(variant.name, Path(row.out))
        rebuilt = _hash_files(result_bundle if bundle.root else bundle, again)
        others = sorted(dict(published.items() ^ rebuilt.items()))
        for path in others:
            how = OTHER if path in rebuilt else NEW
            verdict["differences"][path] = how if path in published else LACKING
        facts = {"variant": variant.name, "origin": str(origin), "builder": str(kernel.builder)}
        verdict["rebuilt"].append({**facts, "state": row.state.value, "differences": len(others)})
    return [(path, hash_as_stated(file)) for path, file in result_bundle.list_benchmarks()]


def _why_skipped(variant: str, names: Sequence[str]) -> str:
    """Return why a variant is not built again here, "" if it is. Empty `names` are all."""
    if names and variant not in names:
        return "not asked for"
    return "" if is_for_system(variant, find_system()) else f"this machine is {find_system()}"


def fetch_published(what: str, names: Sequence[str], folder: Path) -> tuple[str, list[str]]:
    """Fetch owner/name[@revision] into an empty folder, as it lies on the Hub.

    Return a title, and the paths that are no part of a variant, fetched or not. Without a revision,
    the newest version is taken; variants that are skipped come without files.
    Raises UsageError if `what` is no repository, KernelBuilderError if it cannot be had.
    """
    named = _REPOSITORY.fullmatch(what)
    if named is None:
        want = "a folder, or a repository as owner/name or owner/name@revision"
        problem = Problem("REPO|DIR", f'"{what}"', want, "correct it")
        raise UsageError(f"{what} is neither a folder nor a repository", [problem])
    from kernel_builder.hub.client import KERNEL, connect, download, list_remote, retry

    hub, repo_id = connect(), named[1]

    def fetch() -> tuple[str, list[str]]:
        branches = [each.name for each in hub.list_repo_refs(repo_id, repo_type=KERNEL).branches]
        versions = [int(name[1:]) for name in branches if re.fullmatch(r"v\d+", name)]
        revision = named[2] or (f"v{max(versions)}" if versions else "main")
        last = hub.list_repo_commits(repo_id, repo_type=KERNEL, revision=revision)[0]
        files = list_remote(hub, repo_id, last.commit_id)
        if not any(path.endswith(f"/{METADATA}") for path in files):
            fix = "upload it (`kernel-builder build-and-upload`), or name another branch"
            problem = Problem(f"{repo_id}@{revision}", "no variant", f"build/*/{METADATA}", fix)
            raise KernelBuilderError(f"{repo_id}@{revision} is not published", [problem])
        built = {path: path.split("/")[1] for path in files if path.startswith("build/")}
        variants = {name for name in built.values() if f"build/{name}/{METADATA}" in files}
        extra_files = [path for path in files if path.startswith(("provenance/", "benchmarks/"))]
        wanted = [path for path in built if not _why_skipped(built[path], names)]
        wanted += [*extra_files, *(f"build/{name}/{METADATA}" for name in variants)]
        place = {"repo_id": repo_id, "repo_type": KERNEL, "revision": last.commit_id}
        download(hub, place, {path: files[path] for path in wanted}, folder)
        who = f"commit {last.commit_id[:12]} by {', '.join(last.authors)}"
        strays = map(show, list_strays([*built, *extra_files], variants))
        return f"the Hub's {repo_id}@{revision}, {who}", [*strays]

    return retry(fetch, what, "download from")


def _read_origin(variant: BuiltVariant, source: str | None, folder: Path) -> Origin:
    """Return the source of a variant, which lies in a folder.

    Raises KernelBuilderError if it does not say enough.
    """
    provenance = variant.provenance if isinstance(variant.provenance, dict) else {}
    facts = {key: each for key, each in provenance.items() if isinstance(each, dict)}
    commit = str(facts.get("kernel", {}).get("commit"))
    is_kernel = not source and os.path.lexists(folder / "build.toml")
    is_own = is_kernel and bool(_COMMIT.fullmatch(commit)) and has_ancestor(folder, commit)
    source = str(folder.resolve()) if is_own else source
    address = source or str(variant.metadata.get("source", ""))
    dirty = [key for key in ("kernel", "kernel-builder") if facts.get(key, {}).get("dirty")]
    found, want = "", "a build of a commit"
    if dirty:
        found = f"built while {' and '.join(dirty)} had changes that are not committed"
    elif not _COMMIT.fullmatch(commit):
        found = f"provenance in {METADATA} names no commit of the kernel"
    # Published text starts no program: git knows addresses that are commands.
    elif not source and not _ADDRESS.fullmatch(address):
        found = f"the source {address!r}" if address else "no `source` in build.toml, when built"
        want = "the https:// address of the kernel's repository"
    if found:
        fix = "give a place that has its commit (--source ADDRESS), or ask who published it"
        problem = Problem(variant.name, found, want, fix)
        raise KernelBuilderError("a variant does not say enough to be built again", [problem])
    return Origin(str(variant.metadata.get("name")), address, commit, is_own)


def _hash_files(bundle: Bundle, variant: BuiltVariant) -> dict[str, str]:
    """Return by path on the Hub the hash of a variant's files and of its list in a bundle."""
    found = {f"build/{variant.name}/{path}": f for path, f in list_files(variant.folder).items()}
    if listed := bundle.find_sources(variant):
        found[list_records(variant.name)[0]] = listed
    return {path: hash_as_stated(f) for path, f in found.items() if not is_signature(path)}


def _write_kernel(origin: Origin, root: Path) -> tuple[Path, list[str]]:
    """Write the kernel's files of its commit, and flakes above it, into a new folder.

    Returns the kernel's folder, and the paths that are left out, since they are no regular files.
    """
    source, below = origin.source, PurePosixPath()
    if (local := Path(source).resolve()).is_dir():
        # One kernel of a repository with several.
        top = find_git_root(local) or local
        source, below = str(top), PurePosixPath(local.relative_to(top))
    clone, texts = root.with_name("clone"), root.with_name("texts")
    if error := fetch_commit(source, origin.commit, clone, ("--depth=1", origin.commit), BRANCHES):
        want = "a commit that git can fetch, in at most 2 GiB"
        fix = "give another place that has it: --source ADDRESS, or a clone's folder"
        problem = Problem(str(origin), error, want, fix)
        raise KernelBuilderError("the kernel cannot be had as it was", [problem])

    def is_text(path: PurePosixPath) -> bool:
        return path.name == "build.toml" and below in path.parents

    write_files(clone, origin.commit, is_text, texts, MAX_TEXT_BYTES)
    files = sorted(texts.rglob("build.toml"))
    found = [file.parent.relative_to(texts) for file in files if _read_name(file) == origin.kernel]
    if len(found) == 1:
        folder = PurePosixPath(found[0])
        flakes = {up / name for up in folder.parents for name in (FLAKE, LOCK)}

        def is_own(path: PurePosixPath) -> bool:
            return folder in path.parents or path in flakes

        return root / folder, write_files(clone, origin.commit, is_own, root, MAX_FOLDER_BYTES)
    listed = "\n".join(map(show, found)) or "none"
    want, fix = "one folder with a build.toml of this name", "--source CLONE/FOLDER"
    problem = Problem(str(origin), listed, want, fix)
    raise KernelBuilderError(f"which kernel it was is not clear: {len(found)} fit", [problem])


def _read_name(file: Path) -> Any:
    try:
        return tomli.loads(read_file(file).decode())["general"]["name"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return None
