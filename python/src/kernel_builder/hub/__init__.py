"""Uploads kernels to the Hub."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

# OWNER/NAME. A command that takes folders, too, takes this for the Hub's whatever is here: a folder
# is ./OWNER/NAME.
REPOSITORY: Final = r"[A-Za-z0-9][-A-Za-z0-9._]*/[A-Za-z0-9][-A-Za-z0-9._]*"


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
        prune: Also remove published variants that the kernel's matrix does not give any more.
        yes: Remove them without asking for this option first.
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
    prune: bool = False
    yes: bool = False
