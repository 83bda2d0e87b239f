"""What git knows about a kernel's folder, and how a new one gets into git."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from kernel_builder.machine.process import Finished, MissingProgramError, run

_ON_GITHUB = re.compile(r"(?:https://|git@|ssh://git@)github\.com[:/](.+?/.+?)(?:\.git)?/?")


def _git(folder: Path, *words: str) -> Finished:
    try:
        return run(["git", "-C", str(folder), *words])
    except MissingProgramError:
        return Finished(127, "", "")


def find_git_root(folder: Path) -> Path | None:
    """Return the repository through which Nix reads the folder: it sees tracked files only."""
    return next((up for up in (folder, *folder.parents) if (up / ".git").exists()), None)


def list_untracked(folder: Path) -> list[str]:
    """Return the files that git neither tracks nor ignores, relative to the folder."""
    done = _git(folder, "ls-files", "--others", "--exclude-standard", "-z")
    return done.stdout.split("\0")[:-1]


def start_repository(folder: Path) -> bool:
    """Make the folder a repository; say whether there is a git to do that."""
    return _git(folder, "init", "--quiet").status == 0


def stage_files(folder: Path, files: Sequence[str]) -> None:
    """Add files to what the next commit has; nothing happens without git."""
    _git(folder, "add", "--", *files)


def find_remote(folder: Path) -> str | None:
    """Return where a checkout comes from, as a flake names it, if that is on GitHub."""
    if not (folder / ".git").exists():
        return None
    found = _ON_GITHUB.fullmatch(_git(folder, "remote", "get-url", "origin").stdout.strip())
    return f"github:{found.group(1)}" if found else None
