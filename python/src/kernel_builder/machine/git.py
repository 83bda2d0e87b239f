"""What git knows about a kernel's folder, and how a new one gets into git."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from kernel_builder.machine.process import MissingProgramError, run

_ON_GITHUB = re.compile(r"(?:https://|git@|ssh://git@)github\.com[:/](.+?/.+?)(?:\.git)?/?")


def find_git_root(folder: Path) -> Path | None:
    """Return the repository through which Nix reads the folder: it sees tracked files only."""
    return next((up for up in (folder, *folder.parents) if (up / ".git").exists()), None)


def is_in_git(folder: Path) -> bool:
    """Say whether the folder belongs to a repository."""
    return find_git_root(folder) is not None


def list_untracked(folder: Path) -> list[str]:
    """Return the files that git neither tracks nor ignores, relative to the folder."""
    argv = ["git", "-C", str(folder), "ls-files", "--others", "--exclude-standard", "-z"]
    try:
        return run(argv).stdout.split("\0")[:-1]
    except MissingProgramError:
        return []


def start_repository(folder: Path) -> bool:
    """Make the folder a repository; say whether there is a git to do that."""
    try:
        return run(["git", "-C", str(folder), "init", "--quiet"]).status == 0
    except MissingProgramError:
        return False


def stage_files(folder: Path, files: Sequence[str]) -> None:
    """Add files to what the next commit has; nothing happens without git."""
    with suppress(MissingProgramError):
        run(["git", "-C", str(folder), "add", "--", *files])


def find_remote(folder: Path) -> str | None:
    """Return where a checkout comes from, as a flake names it, if that is on GitHub."""
    if not (folder / ".git").exists():
        return None
    try:
        address = run(["git", "-C", str(folder), "remote", "get-url", "origin"]).stdout.strip()
    except MissingProgramError:
        return None
    found = _ON_GITHUB.fullmatch(address)
    return f"github:{found.group(1)}" if found else None
