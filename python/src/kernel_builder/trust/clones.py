"""Clones of repositories of others, from which commits are built again."""

from pathlib import Path
from typing import Final

from kernel_builder.machine.git import run_git

SECONDS_TO_FETCH: Final = 3600.0
# A server may send a clone elsewhere. `file` is for the clones of the user.
_TRANSPORTS: Final = (
    *("-c", "http.followRedirects=false", "-c", "protocol.allow=never"),
    *("-c", "protocol.https.allow=always", "-c", "protocol.file.allow=always"),
)


def has_ancestor(folder: Path, commit: str) -> bool:
    """Return whether a checkout comes from a commit."""
    return run_git(folder, "merge-base", "--is-ancestor", commit, "HEAD").status == 0


def is_published(clone: Path, commit: str) -> bool:
    """Return whether a branch or a tag of what was cloned has a commit."""
    words = ("for-each-ref", "--count=1", f"--contains={commit}", "refs/remotes", "refs/tags")
    return bool(run_git(clone, *words).stdout)


def check_out(source: str, commit: str, folder: Path) -> str:
    """Clone a commit into an empty folder; return the message of git if that fails.

    The clone has all of the history, since Nix refuses a shallow one.
    """
    clone = ("clone", "--quiet", "--no-checkout", "--", source, ".")
    done = run_git(folder, *_TRANSPORTS, *clone, seconds=SECONDS_TO_FETCH, is_new=True)
    if done.status == 0:
        # A server may have a commit that no branch has.
        run_git(
            folder, *_TRANSPORTS, "fetch", "--quiet", "origin", commit, seconds=SECONDS_TO_FETCH
        )
        done = run_git(folder, "checkout", "--quiet", "--detach", commit)
    return done.stderr.strip() if done.status else ""
