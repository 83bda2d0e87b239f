"""What git knows about a kernel's folder; asked only to explain a failure or to name a flake."""

from __future__ import annotations

from pathlib import Path

from kernel_builder.process import MissingProgramError, run


def find_git_root(folder: Path) -> Path | None:
    """Return the repository through which Nix reads the folder: it sees tracked files only."""
    return next((up for up in (folder, *folder.parents) if (up / ".git").exists()), None)


def is_in_git(folder: Path) -> bool:
    """Say whether the folder belongs to a repository."""
    return find_git_root(folder) is not None


def list_untracked(folder: Path) -> list[str]:
    """Return the files that git neither tracks nor ignores, relative to the folder."""
    argv = ["git", "-C", str(folder), "ls-files", "--others", "--exclude-standard"]
    try:
        return run(argv).stdout.splitlines()
    except MissingProgramError:
        return []
