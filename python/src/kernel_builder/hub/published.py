"""What somebody has published: variants in a repository on the Hub, or in a folder."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from kernel_builder.hub.bundle import Bundle, read_bundle
from kernel_builder.messages.errors import KernelBuilderError, Problem, UsageError
from kernel_builder.messages.secrets import redact
from kernel_builder.variants.result import METADATA, SIGNED, read_metadata

if TYPE_CHECKING:
    # A folder is read without the Hub's library.
    from kernel_builder.hub.client import Hub

_REPOSITORY: Final = re.compile(r"([\w.-]+/[\w.-]+)(?:@([\w./-]+))?")
_METADATA: Final = re.compile(rf"build/([\w.+-]+)/{re.escape(METADATA)}")
BENCHMARKS: Final = "benchmarks/"


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
    if path.endswith(SIGNED):
        return "made after the build"
    if path.endswith(".pyc"):
        return "made by a Python that imported it"
    if path.startswith(BENCHMARKS):
        return "the variants are of several commits"
    return "no part of a variant"


def list_files(bundle: Bundle) -> dict[str, Path]:
    """Return the files of a bundle by their paths on the Hub."""
    return {path: file.source for part in bundle.parts for path, file in part.files.items()}


def read_folder(folder: Path) -> Published:
    """Return what a folder has: a variant, or several, as a bundle or `build/` does."""
    bundle = read_bundle(folder)
    files = list_files(bundle)
    metadata = {variant.name: variant.metadata for variant in bundle.variants}
    # What imported them leaves, and is no part of a bundle.
    others = [bundle.card.source.name] if bundle.card else []
    for variant in bundle.variants:
        found = sorted(variant.folder.rglob("*.pyc"))
        others += [f"build/{variant.name}/{each.relative_to(variant.folder)}" for each in found]
    is_whole = bundle.root is not None
    return Published(str(folder), metadata, [*files, *others], is_whole, lambda _names: files)


def read_repository(name: str, folder: Path) -> Published:
    """Return what a repository has, `owner/name` or `owner/name@revision`.

    Without a revision, it is the branch of the newest version. Files go to an empty folder.
    """
    named = _REPOSITORY.fullmatch(name)
    if named is None:
        want = "a folder, or a repository as owner/name or owner/name@revision"
        problem = Problem("REPO|DIR", f'"{name}"', want, "correct it")
        raise UsageError(f"{name} is neither a folder nor a repository", [problem])
    from kernel_builder.hub.client import Hub

    hub = Hub(named[1], may_write=False)
    with _explained(hub):
        if hub.is_private() is None:
            fix = "correct the name; for a private one, `hf auth login`"
            problem = Problem(hub.repo_id, "none that can be seen from here", "a repository", fix)
            raise KernelBuilderError(f"the Hub has no kernel {hub.repo_id}", [problem])
        revision = named[2] or hub.find_newest()
        commit = hub.find_commit(revision)
        paths = sorted(hub.list_files(commit)) if commit else []
        names = [found[1] for path in paths if (found := _METADATA.fullmatch(path))]
        if commit is None or not names:
            there = f"no build/*/{METADATA}" if commit else "no such branch or commit"
            fix = "name the branch of a version: owner/name@v1"
            problem = Problem(f"{hub.repo_id}@{revision}", there, "variants", fix)
            raise KernelBuilderError(f"{hub.repo_id} has no variant at {revision}", [problem])
        hub.download(commit, [f"build/*/{METADATA}"], folder)
        authors = ", ".join(map(redact, hub.find_authors(commit))) or "nobody named"

    def fetch(variants: Sequence[str]) -> dict[str, Path]:
        own = [f"build/{name}/*" for name in variants]
        own += [f"provenance/{name}.cdx.json" for name in variants]
        with _explained(hub):
            hub.download(commit, [*own, f"{BENCHMARKS}*"], folder)
        return {path: folder / path for path in paths if (folder / path).is_file()}

    title = f"{hub.repo_id}@{revision}, commit {commit[:12]} by {authors}"
    metadata = {name: read_metadata(folder / "build" / name) for name in names}
    return Published(title, metadata, paths, True, fetch)


@contextmanager
def _explained(hub: Hub) -> Iterator[None]:
    """Turn what goes wrong with the Hub into a message."""
    from kernel_builder.hub.failures import explain

    try:
        yield
    except Exception as error:
        explained = explain(error, hub.repo_id, hub.token, reading=True)
        if explained is None:
            raise
        raise explained from None
