"""What somebody has published: variants in a repository on the Hub, or in a folder."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from kernel_builder.hub.bundle import read_bundle
from kernel_builder.machine.files import MAX_FILES, list_files
from kernel_builder.messages.errors import KernelBuilderError, Problem, UsageError
from kernel_builder.messages.secrets import redact
from kernel_builder.variants.result import (
    BENCHMARKS,
    METADATA,
    PROVENANCE,
    is_signature,
    list_beside,
    read_metadata,
)

if TYPE_CHECKING:
    # A folder is read without the Hub's library.
    from kernel_builder.hub.client import Hub

_REPOSITORY: Final = re.compile(r"([\w.-]+/[\w.-]+)(?:@([\w./-]+))?")
_METADATA: Final = re.compile(rf"build/([\w.+-]+)/{re.escape(METADATA)}")
# One name in a path: no separator, no control character, and not the folder itself or above.
_SEGMENT: Final = re.compile(r"(?!\.{1,2}$)[^/\\\0-\x1f\x7f]{1,255}")


@dataclass(frozen=True)
class Published:
    """Variants, each with its metadata, and how to get their files, which are `paths` on the Hub.

    `is_whole` says whether what belongs beside the variants has to be there.
    """

    title: str
    metadata: dict[str, dict[str, Any]]
    paths: Sequence[str]
    is_whole: bool
    fetch: Callable[[Sequence[str]], dict[str, Path]]


def why_not(path: str) -> str:
    """Return why a published file is not compared."""
    if is_signature(path):
        return "made after the build"
    if path.startswith(f"{BENCHMARKS}/"):
        return "the variants are of several commits"
    return "no part of a variant"


def list_published(folder: Path) -> dict[str, Path]:
    """Return all files of a variant or a folder of variants by their paths on the Hub.

    Raises KernelBuilderError if there is anything but regular files and folders.
    """
    bundle = read_bundle(folder)
    if bundle.root is None:
        (variant,) = bundle.variants
        found = list_files(variant.folder)
        return {f"build/{variant.name}/{path}": file for path, file in found.items()}
    # The link to what was built is the user's; a folder that was fetched has no links.
    root = bundle.root if bundle.root.name == "build" else bundle.root.resolve()
    beside = (BENCHMARKS, PROVENANCE)
    files = {}
    for path, file in list_files(root).items():
        is_beside = path.partition("/")[0] in beside or "/" not in path
        files[path if is_beside else f"build/{path}"] = file
    if root.name == "build":
        # As it is on the Hub.
        for name in beside:
            place = root.resolve().parent / name
            found = list_files(place) if place.is_dir() and not (root / name).exists() else {}
            files |= {f"{name}/{path}": file for path, file in found.items()}
    return files


def read_folder(folder: Path) -> Published:
    """Return what a folder has: a variant, or several, as a bundle or `build/` does."""
    bundle, files = read_bundle(folder), list_published(folder)
    metadata = {variant.name: variant.metadata for variant in bundle.variants}
    return Published(str(folder), metadata, list(files), bool(bundle.root), lambda _names: files)


def parse_repository(name: str) -> tuple[str, str | None]:
    """Return the repository and the revision, None without one, of owner/name or owner/name@it."""
    named = _REPOSITORY.fullmatch(name)
    if named is None:
        want = "a folder, or a repository as owner/name or owner/name@revision"
        problem = Problem("REPO|DIR", f'"{name}"', want, "correct it")
        raise UsageError(f"{name} is neither a folder nor a repository", [problem])
    return named[1], named[2]


def read_repository(name: str, folder: Path) -> Published:
    """Return what a repository has; without a revision, it is the branch of the newest version.

    Files go to an empty folder.
    """
    from kernel_builder.hub.client import Hub

    repo_id, revision = parse_repository(name)
    hub = Hub(repo_id, may_write=False)
    with _explained(hub):
        if hub.is_private() is None:
            fix = "correct the name; for a private one, `hf auth login`"
            problem = Problem(hub.repo_id, "none that can be seen from here", "a repository", fix)
            raise KernelBuilderError(f"the Hub has no kernel {hub.repo_id}", [problem])
        revision = revision or hub.find_newest()
        commit = hub.find_commit(revision)
        paths = sorted(hub.list_files(commit)) if commit else []
        _require_paths(hub.repo_id, paths)
        names = [found[1] for path in paths if (found := _METADATA.fullmatch(path))]
        if commit is None or not names:
            there = f"no build/*/{METADATA}" if commit else "no such branch or commit"
            fix = "name the branch of a version: owner/name@v1"
            problem = Problem(f"{hub.repo_id}@{revision}", there, "variants", fix)
            raise KernelBuilderError(f"{hub.repo_id} has no variant at {revision}", [problem])
        hub.download(commit, [f"build/{name}/{METADATA}" for name in names], folder)
        authors = ", ".join(map(redact, hub.find_authors(commit))) or "nobody named"

    def fetch(variants: Sequence[str]) -> dict[str, Path]:
        own = [f"build/{name}/*" for name in variants]
        own += [list_beside(name)[0] for name in variants]
        with _explained(hub):
            hub.download(commit, [*own, f"{BENCHMARKS}/*"], folder)
        found = list_files(folder)
        return {path: found[path] for path in paths if path in found}

    title = f"{hub.repo_id}@{revision}, commit {commit[:12]} by {authors}"
    metadata = {name: read_metadata(folder / "build" / name) for name in names}
    return Published(title, metadata, paths, True, fetch)


def _require_paths(repo_id: str, paths: Sequence[str]) -> None:
    """Raise if the Hub lists a name that is no path below the repository, or too many."""
    odd = [path for path in paths if not all(map(_SEGMENT.fullmatch, path.split("/")))]
    if odd or len(paths) > MAX_FILES:
        found = "\n".join(map(ascii, odd[:5])) or f"{len(paths)} files"
        want = f"at most {MAX_FILES} names of files below the repository"
        problem = Problem(repo_id, found, want, "do not use it; report it to the Hub")
        raise KernelBuilderError(f"the Hub lists names in {repo_id} that are no files", [problem])


@contextmanager
def _explained(hub: Hub) -> Iterator[None]:
    """Turn what goes wrong with the Hub into a message."""
    from kernel_builder.hub.failures import explain

    try:
        yield
    except KernelBuilderError:
        raise
    except Exception as error:
        explained = explain(error, hub.repo_id, hub.token, reading=True)
        if explained is None:
            raise
        raise explained from None
