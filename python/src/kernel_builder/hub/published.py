"""Fetches published variants from the Hub."""

from __future__ import annotations

import platform
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from kernel_builder.hub import require_library
from kernel_builder.messages.choices import find_unknown
from kernel_builder.messages.errors import KernelBuilderError, Problem, UsageError
from kernel_builder.variants.result import METADATA, list_beside

_REPOSITORY: Final = re.compile(r"([\w.-]+/[\w.-]+)(?:@([\w./-]+))?")
_METADATA: Final = re.compile(rf"build/([\w.+-]+)/{re.escape(METADATA)}")
_SYSTEM: Final = re.compile(r"-((?:aarch64|x86_64)-(?:linux|darwin|windows))$")


def why_skipped(variant: str, names: Sequence[str]) -> str:
    """Return why a variant is not built again here, "" if it is. Empty `names` are all."""
    here = f"{platform.machine().replace('arm64', 'aarch64')}-{platform.system().lower()}"
    system = _SYSTEM.search(variant)
    if names and variant not in names:
        return "not asked for"
    return f"this machine is {here}" if system and system[1] != here else ""


def fetch_published(what: str, names: Sequence[str], folder: Path) -> tuple[str, dict[str, str]]:
    """Fetch owner/name[@revision] into an empty folder, as it lies on the Hub.

    Without a revision, the newest version is taken. Returns a title, and by variant why it was not
    fetched. Raises UsageError if `what` is no repository or has none of `names`, KernelBuilderError
    if it cannot be had.
    """
    named = _REPOSITORY.fullmatch(what)
    if named is None:
        want = "a folder, or a repository as owner/name or owner/name@revision"
        problem = Problem("REPO|DIR", f'"{what}"', want, "correct it")
        raise UsageError(f"{what} is neither a folder nor a repository", [problem])
    require_library("huggingface_hub")
    from huggingface_hub.errors import RepositoryNotFoundError

    from kernel_builder.hub.client import KERNEL, connect, find_commit, list_remote, retry

    hub, repo_id = connect(may_write=False), named[1]

    def fetch() -> tuple[str, dict[str, str]]:
        try:
            branches = hub.list_repo_refs(repo_id, repo_type=KERNEL).branches
        except RepositoryNotFoundError:
            fix = "correct the name; for a private one, `hf auth login`"
            problem = Problem(repo_id, "none that can be seen from here", "a repository", fix)
            raise KernelBuilderError(f"the Hub has no kernel {repo_id}", [problem]) from None
        versions = [int(each.name[1:]) for each in branches if re.fullmatch(r"v\d+", each.name)]
        revision = named[2] or (f"v{max(versions)}" if versions else "main")
        commit = find_commit(hub, repo_id, revision)
        remote = list_remote(hub, repo_id, commit) if commit else {}
        found = [match[1] for path in remote if (match := _METADATA.fullmatch(path))]
        if commit is None or not found:
            there = f"no build/*/{METADATA}" if commit else "no such branch or commit"
            fix = "name the branch of a version: owner/name@v1"
            problem = Problem(f"{repo_id}@{revision}", there, "variants", fix)
            raise KernelBuilderError(f"{repo_id} has no variant at {revision}", [problem])
        if unknown := find_unknown("--variant", names, found):
            raise UsageError(f"{repo_id} has no such variants", unknown)
        skipped = {name: why for name in found if (why := why_skipped(name, names))}
        hub.snapshot_download(
            repo_id,
            repo_type=KERNEL,
            revision=commit,
            local_dir=folder,
            allow_patterns=["build/*", "provenance/*"],
            ignore_patterns=[
                pattern for name in skipped for pattern in (f"build/{name}/*", *list_beside(name))
            ],
        )
        commits = hub.list_repo_commits(repo_id, repo_type=KERNEL, revision=commit)
        authors = ", ".join(commits[0].authors) or "nobody named"
        return f"{repo_id}@{revision}, commit {commit[:12]} by {authors}", skipped

    return retry(fetch, repo_id, "download from")
