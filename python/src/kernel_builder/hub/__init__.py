"""Uploads kernels to the Hub, and builds published ones again to compare them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class UploadOptions:
    """Options of an upload.

    Args:
        repo_id: The repository, owner/name; empty: `repo-id` in build.toml.
        branch: The branch; empty: that of build.toml, or v<version>.
        private: Create a new repository as a private one.
        create_pr: Create pull requests instead of commits.
        partial: Upload although variants of the kernel are missing.
        allow_dirty: Upload builds of uncommitted changes.
        allow_unsandboxed: Upload builds that may have run without a sandbox.
        dry_run: Only report what would change.
        repo_type: The kind of repository: "kernel", or "model" for old clients.
        output_json: Also write the result to this file, for the scripts of other tools.
    """

    repo_id: str = ""
    branch: str = ""
    private: bool = False
    create_pr: bool = False
    partial: bool = False
    allow_dirty: bool = False
    allow_unsandboxed: bool = False
    dry_run: bool = False
    repo_type: str = "kernel"
    output_json: Path | None = None


@dataclass(frozen=True)
class CacheOptions:
    """Options of a push to the Hub.

    Args:
        private: Create a new repository as a private one.
        days: Afterwards, remove pushes that are older; None: remove nothing.
        keep: Patterns of names of paths, whose pushes stay.
    """

    private: bool = False
    days: int | None = None
    keep: tuple[str, ...] = ()
