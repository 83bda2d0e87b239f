"""Brings a branch to the state that is wanted: compare, commit, look again.

Each commit names the one that it was computed for. If somebody else was faster, the Hub refuses
it, and whoever called compares everything anew; so nothing of others is ever undone, and a commit
whose answer was lost is found to be there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from kernel_builder.hub.changes import Change, compare, plan_commits
from kernel_builder.hub.client import Committed, Hub
from kernel_builder.hub.files import Part
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.terminal import say

# Rounds after which everything was sent and something still differs.
VAIN_ROUNDS: Final = 3


@dataclass
class Outcome:
    """What became of one branch."""

    branch: str
    planned: list[Change] = field(default_factory=list)
    commits: list[Committed] = field(default_factory=list)
    pull_request: str | None = None
    # What is changed instead of the branch: that of the pull request.
    revision: str | None = None


def look(hub: Hub, outcome: Outcome, parts: Sequence[Part]) -> None:
    """Note what would be done, without doing it."""
    snapshot = hub.read(outcome.branch) if hub.is_private() is not None else None
    outcome.planned = plan_commits(compare(parts, snapshot.files if snapshot else {}))


def bring(
    hub: Hub, outcome: Outcome, parts: Sequence[Part], title: str, *, create_pr: bool
) -> None:
    """Change a branch, or a pull request for it, until it has the parts as they are here.

    What has become of the branch is noted in `outcome`; called again, it goes on from there.
    """
    if create_pr:
        title = f"{title} [{_fingerprint(parts)}]"
    for vain in range(VAIN_ROUNDS + 1):
        revision = outcome.revision or outcome.branch
        snapshot = hub.read(revision)
        if snapshot is None:
            raise _no_branch(hub, outcome.branch)
        planned = plan_commits(compare(parts, snapshot.files))
        if not planned:
            return
        if create_pr and not outcome.revision and (begun := hub.find_pull_request(title)):
            outcome.pull_request = outcome.revision = begun
            continue
        if vain == VAIN_ROUNDS:
            raise _does_not_keep(hub, planned)
        outcome.planned = outcome.planned or planned
        for done in _commit_all(hub, revision, snapshot.commit, planned, title, create_pr):
            outcome.commits.append(done)
            if create_pr and done.revision:
                outcome.pull_request, outcome.revision = done.pull_request, done.revision


def _commit_all(
    hub: Hub, revision: str, parent: str, planned: Sequence[Change], title: str, create_pr: bool
) -> Iterator[Committed]:
    for number, change in enumerate(planned, 1):
        count = f" ({number}/{len(planned)})" if len(planned) > 1 else ""
        say(
            f"{revision}{count}: {', '.join(change.parts)}: "
            f"{len(change.add)} files, {len(change.remove)} to remove"
        )
        asks = create_pr and not revision.startswith("refs/pr/")
        done = hub.commit(revision, parent, change, title, create_pr=asks)
        parent, revision = done.oid, done.revision or revision
        yield done


def _fingerprint(parts: Sequence[Part]) -> str:
    """Return a few letters that stand for a content, to find a pull request that has it."""
    lines = [f"{file.sha256} {path}" for part in parts for path, file in part.files.items()]
    return hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest()[:12]


def _no_branch(hub: Hub, branch: str) -> KernelBuilderError:
    fix = "let someone who may write there upload first, or make the branch"
    problem = Problem(f"{hub.repo_id}, branch {branch}", "no such branch", "a branch", fix)
    return KernelBuilderError(f"{hub.repo_id} has no branch {branch}", [problem])


def _does_not_keep(hub: Hub, planned: Sequence[Change]) -> KernelBuilderError:
    paths = sorted(path for change in planned for path in (*change.add, *change.remove))
    problem = Problem(
        at=hub.repo_id,
        found=f"after {VAIN_ROUNDS} uploads, not as it was sent: " + ", ".join(paths[:8]),
        want="the files that were sent",
        fix="run it again; if it stays so, tell the Hub's people",
    )
    return KernelBuilderError(f"{hub.repo_id} does not keep what it gets", [problem])
