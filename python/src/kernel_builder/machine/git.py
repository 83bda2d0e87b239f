"""What git knows about a kernel's folder, and how a new one gets into git."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from kernel_builder.machine.process import Finished, MissingProgramError, run

# Of a login, nothing is kept; where a port is named, https may have another.
_REMOTE = re.compile(
    r"(?:https://(?:[^/@]*@)?|git@|ssh://git@)([\w.-]+\.\w+)[:/](?!\d+/)([!-~]+?)(?:\.git)?/?"
)


def _git(folder: Path, *words: str) -> Finished:
    try:
        # A password is asked of nobody: who reads this output may not be at the terminal.
        environment = {"GIT_TERMINAL_PROMPT": "0"}
        return run(["git", "-C", str(folder), *words], environment=environment)
    except MissingProgramError:
        return Finished(127, "", "there is no git on the PATH")


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


def find_address(folder: Path) -> str | None:
    """Return where others may read a folder's repository, `https://…`, as its remote says."""
    found = _REMOTE.fullmatch(_git(folder, "remote", "get-url", "origin").stdout.strip())
    return f"https://{found[1]}/{found[2]}" if found else None


def find_remote(folder: Path) -> str | None:
    """Return where a checkout comes from, as a flake names it, if that is on GitHub."""
    address = (find_address(folder) if (folder / ".git").exists() else None) or ""
    _, _, repository = address.partition("https://github.com/")
    return f"github:{repository}" if "/" in repository else None


def check_out(source: str, commit: str, folder: Path) -> str:
    """Put a commit of a repository into an empty folder; return why not, if it cannot be had.

    All of its history comes along: Nix reads no repository that has less.
    """
    done = _git(folder, "clone", "--quiet", "--no-checkout", "--", source, ".")
    if done.status == 0:
        switch = ("checkout", "--quiet", "--detach", commit)
        done = _git(folder, *switch)
        # Of a commit that no branch has, a server may know all the same.
        if done.status and _git(folder, "fetch", "--quiet", "origin", commit).status == 0:
            done = _git(folder, *switch)
    return done.stderr.strip() if done.status else ""
