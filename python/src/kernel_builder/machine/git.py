"""Git: what it knows about a kernel's folder, and how a new one gets into it.

Git never runs what a repository's own .git/config names. An unpacked archive or a shared folder
brings that file along, and many of its keys are command lines.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

from kernel_builder.machine.process import Finished, MissingProgramError, run

SECONDS: Final = 120.0
SECONDS_TO_FETCH: Final = 3600.0
_USERS: Final = ("system", "global")
# git reads hooks from .git/hooks without any key, and some of them run when it lists files.
_ALWAYS: Final = (
    ("core.fsmonitor", "false"),
    ("core.hooksPath", "/dev/null"),
    ("protocol.ext.allow", "never"),
)
# Keys whose values are run, with values that run nothing. git writes keys in small letters, but for
# the name in the middle.
_RUNS: Final = tuple(
    (re.compile(pattern, re.DOTALL), neutral)
    for pattern, neutral in (
        (r"core\.sshcommand", "ssh"),
        (r"core\.askpass|filter\..*\.(clean|smudge|process)", ""),
        (r"credential\.(.*\.)?helper", ""),
        (r"filter\..*\.required|diff\.trustexitcode|pager\..*", "false"),
        (r"core\.(editor|alternaterefscommand)|sequence\.editor", "true"),
        (r"diff\.(external|.*\.command)", "true"),
        (r"core\.pager|diff\..*\.textconv|tar\..*\.command", "cat"),
        (r"merge\..*\.driver|gpg\.(.*\.)?program", "false"),
        (r"remote\..*\.uploadpack", "git-upload-pack"),
        (r"remote\..*\.receivepack", "git-receive-pack"),
        (r"submodule\..*\.update", "checkout"),
    )
)

# An address of a remote, without a login. https may have another port than the one named.
_REMOTE = re.compile(
    r"(?:https://(?:[^/@]*@)?|git@|ssh://git@)([\w.-]+\.\w+)[:/](?!\d+/)([!-~]+?)(?:\.git)?/?"
)


def _git(folder: Path, *words: str, seconds: float = SECONDS) -> Finished:
    # git asks nobody for a password: the user may not be at the terminal.
    environment = {"GIT_TERMINAL_PROMPT": "0", **neutral_variables(folder)}
    try:
        return run(["git", "-C", str(folder), *words], environment=environment, seconds=seconds)
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
    """Make the folder a repository; return False if that fails, as without git."""
    return _git(folder, "init", "--quiet").status == 0


def stage_files(folder: Path, files: Sequence[str]) -> None:
    """Add files to the next commit; nothing happens without git."""
    _git(folder, "add", "--", *files)


def find_address(folder: Path) -> str | None:
    """Return the address of the remote, `https://…`, at which others may read a repository."""
    found = _REMOTE.fullmatch(_git(folder, "remote", "get-url", "origin").stdout.strip())
    return f"https://{found[1]}/{found[2]}" if found else None


def find_head(folder: Path) -> str | None:
    """Return the commit that a checkout has."""
    return _git(folder, "rev-parse", "--verify", "--quiet", "HEAD").stdout.strip() or None


def find_remote(folder: Path) -> str | None:
    """Return the flake reference of a checkout's remote if that is on GitHub."""
    address = (find_address(folder) if (folder / ".git").exists() else None) or ""
    _, _, repository = address.partition("https://github.com/")
    return f"github:{repository}" if "/" in repository else None


def check_out(source: str, commit: str, folder: Path) -> str:
    """Clone a commit into an empty folder; return the message of git if that fails.

    The clone has all of the history, since Nix refuses a shallow one.
    """
    clone = ("clone", "--quiet", "--no-checkout", "--", source, ".")
    done = _git(folder, *clone, seconds=SECONDS_TO_FETCH)
    if done.status == 0:
        switch = ("checkout", "--quiet", "--detach", commit)
        done = _git(folder, *switch)
        # A server may have a commit that no branch has.
        fetch = ("fetch", "--quiet", "origin", commit)
        if done.status and _git(folder, *fetch, seconds=SECONDS_TO_FETCH).status == 0:
            done = _git(folder, *switch)
    return done.stderr.strip() if done.status else ""


def neutral_variables(*folders: Path) -> dict[str, str]:
    """Return variables under which git runs nothing that the repositories around folders name.

    The user's own settings stay. Git 2.31 and newer read these variables.
    """
    roots = dict.fromkeys(filter(None, map(find_git_root, folders)))
    pairs = [*_inherited(), *_ALWAYS, *(pair for root in roots for pair in _overrides(root))]
    # The first value of core.gitProxy counts, so none can be added behind it.
    variables = {"GIT_CONFIG_COUNT": str(len(pairs)), "GIT_PROXY_COMMAND": ""}
    for number, (key, value) in enumerate(pairs):
        variables |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return variables


def _inherited() -> list[tuple[str, str]]:
    """Return the settings that the user gives by such variables."""
    count = os.environ.get("GIT_CONFIG_COUNT", "")
    numbers = range(int(count)) if count.isdecimal() else ()
    pairs = [
        (os.environ.get(f"GIT_CONFIG_KEY_{n}"), os.environ.get(f"GIT_CONFIG_VALUE_{n}"))
        for n in numbers
    ]
    return [(key, value) for key, value in pairs if key is not None and value is not None]


@cache
def _overrides(root: Path) -> tuple[tuple[str, str], ...]:
    """Return a value for each key that runs a program and is set by the repository itself."""
    argv = ["git", "-C", str(root), "config", "--show-scope", "--null", "--list"]
    try:
        output = run(argv, environment={"GIT_OPTIONAL_LOCKS": "0"}, seconds=SECONDS).stdout
    except MissingProgramError:
        return ()
    words = output.split("\0")
    settings = [
        (scope, *entry.partition("\n")[::2]) for scope, entry in zip(words[::2], words[1::2])
    ]
    pairs: list[tuple[str, str]] = []
    for key in dict.fromkeys(key for scope, key, _ in settings if scope in ("local", "worktree")):
        neutral = next((value for pattern, value in _RUNS if pattern.fullmatch(key)), None)
        if neutral is not None:
            users = [text for scope, name, text in settings if name == key and scope in _USERS]
            # The last value counts; of helpers for logins, an empty one drops those before it.
            pairs += [(key, text) for text in (neutral, *users)]
    return tuple(pairs)
