"""Published variants: in a repository on the Hub, or in a folder as it was fetched."""

from __future__ import annotations

import platform
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from kernel_builder.hub import require_library
from kernel_builder.hub.bundle import Bundle, read_bundle
from kernel_builder.machine.files import list_files
from kernel_builder.messages.choices import find_unknown
from kernel_builder.messages.errors import KernelBuilderError, Problem, UsageError
from kernel_builder.variants.result import (
    BENCHMARKS,
    METADATA,
    PROVENANCE,
    list_beside,
    read_metadata,
)

_REPOSITORY: Final = re.compile(r"([\w.-]+/[\w.-]+)(?:@([\w./-]+))?")
_METADATA: Final = re.compile(rf"build/([\w.+-]+)/{re.escape(METADATA)}")
_SYSTEM: Final = re.compile(r"-((?:aarch64|x86_64)-(?:linux|darwin|windows))$")


@dataclass(frozen=True)
class Published:
    """Published files by path on the Hub. The value is None if a file was not fetched.

    `metadata` has all variants, `skipped` says why some are not compared. `is_whole`: lists of
    sources and benchmarks have to be there.
    """

    title: str
    files: Mapping[str, Path | None]
    metadata: Mapping[str, Mapping[str, Any]]
    skipped: Mapping[str, str]
    is_whole: bool


def list_published(bundle: Bundle) -> dict[str, Path]:
    """Return all files of a variant or a folder of variants by their paths on the Hub.

    Raises KernelBuilderError if there is anything but regular files and folders.
    """
    if bundle.root is None:
        (variant,) = bundle.variants
        found = list_files(variant.folder)
        return {f"build/{variant.name}/{path}": file for path, file in found.items()}
    root = bundle.root if bundle.root.name == "build" else bundle.root.resolve()
    beside = (BENCHMARKS, PROVENANCE)
    files = {}
    for path, file in list_files(root).items():
        is_beside = "/" not in path or path.partition("/")[0] in beside
        files[path if is_beside else f"build/{path}"] = file
    for folder in (place / name for place in bundle.places[1:] for name in beside):
        found = list_files(folder) if folder.is_dir() else {}
        files = {f"{folder.name}/{path}": file for path, file in found.items()} | files
    return files


def read_published(what: str, names: Sequence[str], folder: Path) -> Published:
    """Return the variants of a folder, or of owner/name[@revision] on the Hub.

    Without a revision, the newest version is taken. The files of the variants to compare (`names`,
    else all of this system) are fetched into the empty folder. Raises UsageError for names of no
    variant, KernelBuilderError if the repository or its variants cannot be had.
    """
    if Path(what).exists():
        bundle = read_bundle(Path(what))
        title, is_whole = what, bundle.root is not None
        files: Mapping[str, Path | None] = list_published(bundle)
        metadata = {variant.name: variant.metadata for variant in bundle.variants}
    else:
        is_whole = True
        title, files, metadata = _fetch(what, names, folder)
    if unknown := find_unknown("--variant", names, list(metadata)):
        raise UsageError(f"{title} has no such variants", unknown)
    skipped = {name: why for name in metadata if (why := why_skipped(name, names))}
    return Published(title, files, metadata, skipped, is_whole)


def why_skipped(variant: str, names: Sequence[str]) -> str:
    """Return why a variant is not built again here, "" if it is."""
    here = f"{platform.machine().replace('arm64', 'aarch64')}-{platform.system().lower()}"
    system = _SYSTEM.search(variant)
    if names and variant not in names:
        return "not asked for"
    return f"this machine is {here}" if system and system[1] != here else ""


def _fetch(
    what: str, names: Sequence[str], folder: Path
) -> tuple[str, dict[str, Path | None], dict[str, dict[str, Any]]]:
    """Return title, files and metadata of a repository."""
    named = _REPOSITORY.fullmatch(what)
    if named is None:
        want = "a folder, or a repository as owner/name or owner/name@revision"
        problem = Problem("REPO|DIR", f'"{what}"', want, "correct it")
        raise UsageError(f"{what} is neither a folder nor a repository", [problem])
    require_library("huggingface_hub")
    from huggingface_hub.errors import RepositoryNotFoundError

    from kernel_builder.hub.client import KERNEL, connect, find_commit, list_remote, retry

    hub, repo_id = connect(may_write=False), named[1]

    def read() -> tuple[str, list[str]]:
        branch = named[2]
        try:
            refs = hub.list_repo_refs(repo_id, repo_type=KERNEL).branches
        except RepositoryNotFoundError:
            fix = "correct the name; for a private one, `hf auth login`"
            problem = Problem(repo_id, "none that can be seen from here", "a repository", fix)
            raise KernelBuilderError(f"the Hub has no kernel {repo_id}", [problem]) from None
        versions = [int(each.name[1:]) for each in refs if re.fullmatch(r"v\d+", each.name)]
        branch = branch or (f"v{max(versions)}" if versions else "main")
        commit = find_commit(hub, repo_id, branch)
        paths = sorted(list_remote(hub, repo_id, commit)) if commit else []
        found = [match[1] for path in paths if (match := _METADATA.fullmatch(path))]
        if commit is None or not found:
            there = f"no build/*/{METADATA}" if commit else "no such branch or commit"
            fix = "name the branch of a version: owner/name@v1"
            problem = Problem(f"{repo_id}@{branch}", there, "variants", fix)
            raise KernelBuilderError(f"{repo_id} has no variant at {branch}", [problem])
        wanted = [name for name in found if not why_skipped(name, names)]
        patterns = [f"build/{name}/{METADATA}" for name in found] + [f"{BENCHMARKS}/*"]
        patterns += [p for name in wanted for p in (f"build/{name}/*", list_beside(name)[0])]
        hub.snapshot_download(
            repo_id, repo_type=KERNEL, revision=commit, local_dir=folder, allow_patterns=patterns
        )
        commits = hub.list_repo_commits(repo_id, repo_type=KERNEL, revision=commit)
        authors = ", ".join(commits[0].authors) or "nobody named"
        return f"{repo_id}@{branch}, commit {commit[:12]} by {authors}", paths

    title, paths = retry(read, repo_id, "download from")
    fetched = list_files(folder)
    metadata = {
        match[1]: read_metadata(folder / "build" / match[1])
        for path in paths
        if (match := _METADATA.fullmatch(path))
    }
    return title, {path: fetched.get(path) for path in paths}, metadata
