"""What git knows about a kernel's folder; asked only to explain a failure or to name a flake."""

from __future__ import annotations

from pathlib import Path

from kernel_builder.process import MissingProgramError, run


def is_in_git(folder: Path) -> bool:
    """Say whether Nix would read the folder through git, which shows it tracked files only."""
    return any((above / ".git").exists() for above in (folder, *folder.parents))


def list_untracked(folder: Path) -> list[str]:
    """Return the files that git neither tracks nor ignores, relative to the folder."""
    argv = ["git", "-C", str(folder), "ls-files", "--others", "--exclude-standard"]
    try:
        return run(argv).stdout.splitlines()
    except MissingProgramError:
        return []
