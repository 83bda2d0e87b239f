"""Git: what it knows about a kernel's folder, and how a new one gets into it.

Git never runs what a repository's own .git/config names. An unpacked archive or a shared folder
brings that file along, and many of its keys are command lines. It is asked about the repository
that `find_git_root` finds, and searches for none. Only commands are used that run no filter, and
none fetches what the repository lacks.
"""

import os
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from kernel_builder.machine.process import Finished, MissingProgramError, run

SECONDS: Final = 120.0
_USERS: Final = ("system", "global")
# git reads hooks from .git/hooks without any key, and some of them run when it lists files.
_ALWAYS: Final = (
    ("core.fsmonitor", "false"),
    ("core.hooksPath", "/dev/null"),
    ("protocol.ext.allow", "never"),
)
# Values that run nothing, for the keys whose values git runs where Nix asks it about a folder: for
# differences, archives and signatures, and to fetch what a partial clone lacks. git writes keys in
# small letters, but for the name in the middle.
_RUNS: Final = {
    "": r"core\.askpass|filter\..*\.(clean|smudge|process)|credential\.(.*\.)?helper",
    "cat": r"diff\..*\.textconv|tar\..*\.command",
    "false": r"gpg\.(.*\.)?program|filter\..*\.required|diff\.trustexitcode",
    "git-upload-pack": r"remote\..*\.uploadpack",
    "ssh": r"core\.sshcommand",
    "true": r"diff\.(external|.*\.command)",
}

# An address of a remote, without a login. https may have another port than the one named.
_REMOTE = re.compile(
    r"(?:https://(?:[^/@]*@)?|git@|ssh://git@)([\w.-]+\.\w+)[:/](?!\d+/)([!-~]+?)(?:\.git)?/?"
)


def run_git(folder: Path, *words: str, is_new: bool = False, **options: Any) -> Finished:
    """Run git for the repository that `find_git_root` finds: git itself may find another one.

    `is_new` lets git look for it. `transports`, with `:` between, are those by which it may fetch.
    Other options are those of `process.run`.
    """
    # git asks nobody for a password: the user may not be at the terminal.
    variables = {"GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0", **neutral_variables()}
    # A repository's own settings cannot allow more.
    variables["GIT_ALLOW_PROTOCOL"] = options.pop("transports", "")
    if not is_new and (root := find_git_root(folder)):
        # Only where git looks for the repository does it look for the owner.
        if (refused := run_git(root, "rev-parse", "--git-dir", is_new=True)).status:
            return refused
        variables |= {"GIT_DIR": str(root / ".git"), "GIT_WORK_TREE": str(root)}
    # git would take a folder with HEAD, objects/ and refs/ for a repository, too, with its config.
    argv = ["git", "-C", str(folder), "-c", "safe.bareRepository=explicit", *words]
    try:
        return run(argv, environment=variables, **{"seconds": SECONDS, **options})
    except MissingProgramError:
        return Finished(127, "", "there is no git on the PATH")


def is_git_root(folder: Path) -> bool:
    """Return whether git takes a folder for a repository: it ignores a `.git` without a HEAD."""
    place = folder / ".git"
    return place.exists() and (not place.is_dir() or os.path.lexists(place / "HEAD"))


def find_git_root(folder: Path) -> Path | None:
    """Return the repository through which Nix reads the folder: it sees tracked files only.

    One above the folder counts if it has the same owner: anybody may put a .git into /tmp.
    """
    ups = [up for up in (folder, *folder.parents) if up.exists()]
    root = next(filter(is_git_root, ups), None)
    is_own = not root or root == folder or (root / ".git").lstat().st_uid == ups[0].stat().st_uid
    return root if is_own else None


def list_untracked(folder: Path) -> list[str]:
    """Return the files that git neither tracks nor ignores, relative to the folder."""
    words = ("ls-files", "--others", "--exclude-standard", "-z")
    return run_git(folder, *words).stdout.split("\0")[:-1]


def list_large(folder: Path, least: int) -> dict[str, int]:
    """Return the tracked files below a folder with at least so many bytes, and their sizes."""
    names = run_git(folder, "ls-files", "-z").stdout.split("\0")[:-1]
    sizes = {each: (folder / each).lstat().st_size for each in names if (folder / each).is_file()}
    return {each: size for each, size in sizes.items() if size >= least}


def find_refusal(folder: Path) -> str:
    """Return git's message if it reads no repository here, as one of another user; else ""."""
    done = run_git(folder, "rev-parse", "--git-dir")
    return done.stderr.strip() if done.status else ""


def list_submodules(folder: Path) -> list[str]:
    """Return the submodules below a folder."""
    entries = run_git(folder, "ls-files", "--stage", "-z").stdout.split("\0")[:-1]
    # The mode of a submodule.
    return [each.partition("\t")[2] for each in entries if each.startswith("160000")]


def find_ignoring(folder: Path, names: Sequence[str]) -> dict[str, str]:
    """Return the ignored ones of these files, each with the place and pattern that ignores it."""
    # Its -z is for standard input alone.
    command = ("-c", "core.quotePath=false", "check-ignore", "--verbose", "--", *names)
    lines = [each.rpartition("\t") for each in run_git(folder, *command).stdout.splitlines()]
    return {path: rule for rule, _, path in lines if path in names}


def start_repository(folder: Path) -> bool:
    """Make the folder a repository; return False if that fails, as without git."""
    return run_git(folder, "init", "--quiet", is_new=True).status == 0


def stage_files(folder: Path, files: Sequence[str]) -> None:
    """Add files to the next commit as they are, without filters; nothing happens without git."""
    below = folder.relative_to(find_git_root(folder) or folder)
    hashed = run_git(folder, "hash-object", "-w", "--no-filters", "--", *files).stdout.split()
    entries = [f"100644,{blob},{below / file}" for blob, file in zip(hashed, files)]
    words = [word for entry in entries for word in ("--cacheinfo", entry)]
    # Where git sees the files, it filters those that are as young as its index, to compare them.
    with TemporaryDirectory(prefix="kernel-builder-") as empty:
        run_git(folder, "-C", empty, "--work-tree=.", "update-index", "--add", *words)


def find_address(folder: Path) -> str | None:
    """Return the address of the remote, `https://…`, at which others may read a repository."""
    found = _REMOTE.fullmatch(run_git(folder, "remote", "get-url", "origin").stdout.strip())
    return f"https://{found[1]}/{found[2]}" if found else None


def find_commit(folder: Path, revision: str = "HEAD") -> str | None:
    """Return the commit that a revision, such as a branch or `HEAD~1`, stands for."""
    words = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    return run_git(folder, *words).stdout.strip() or None


def neutral_variables(*folders: Path) -> dict[str, str]:
    """Return variables under which git, as Nix calls it, runs nothing that repositories name.

    The user's own settings stay, also those in such variables. Git 2.31 and newer read them.
    """
    kinds = ("GIT_CONFIG_KEY", "GIT_CONFIG_VALUE")
    count = os.environ.get("GIT_CONFIG_COUNT", "")
    numbers = range(int(count) if count.isdecimal() else 0)
    pairs = [tuple(os.environ.get(f"{kind}_{n}", "") for kind in kinds) for n in numbers]
    pairs += _ALWAYS
    for root in dict.fromkeys(filter(None, map(find_git_root, folders))):
        pairs += _overrides(root)
    # The first value of core.gitProxy counts, so none can be added behind it.
    variables = {"GIT_CONFIG_COUNT": str(len(pairs)), "GIT_PROXY_COMMAND": ""}
    for number, pair in enumerate(pairs):
        variables |= {f"{kind}_{number}": text for kind, text in zip(kinds, pair)}
    return variables


@cache
def _overrides(root: Path) -> tuple[tuple[str, str], ...]:
    """Return a value for each key that runs a program and is set by the repository itself."""
    words = run_git(root, "config", "--show-scope", "--null", "--list").stdout.split("\0")
    entries = [(scope, *each.partition("\n")[::2]) for scope, each in zip(words[::2], words[1::2])]
    pairs: list[tuple[str, str]] = []
    for key in dict.fromkeys(key for scope, key, _ in entries if scope in ("local", "worktree")):
        users = [text for scope, name, text in entries if name == key and scope in _USERS]
        # The last value counts; of helpers for logins, an empty one drops those before it.
        for neutral in (text for text, keys in _RUNS.items() if re.fullmatch(keys, key, re.DOTALL)):
            pairs += [(key, text) for text in (neutral, *users)]
    return tuple(pairs)
