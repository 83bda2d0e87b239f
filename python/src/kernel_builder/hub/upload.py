"""One upload from its beginning to its end: builds to the version's branch, the card to main.

A branch is compared, changed and looked at again. Each commit names the one that it was computed
for. If somebody else was faster, the Hub refuses it, and everything is compared anew; so nothing of
others is ever undone, and a commit whose answer was lost is found to be there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from huggingface_hub import CommitInfo

from kernel_builder.hub.bundle import Bundle
from kernel_builder.hub.changes import Change, Part, compare, plan_commits
from kernel_builder.hub.client import Hub
from kernel_builder.hub.failures import CONFLICTS, explain, is_conflict, may_go_better, pause
from kernel_builder.hub.target import Asked
from kernel_builder.hub.version_guard import VersionGuard
from kernel_builder.machine.files import read_file
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.secrets import redact
from kernel_builder.messages.terminal import complain, say
from kernel_builder.variants.sandbox import UNKNOWN, describe_states

MAIN: Final = "main"
CARD: Final = "README.md"
# Rounds after which everything was sent and something still differs.
VAIN_ROUNDS: Final = 3


@dataclass
class Branch:
    """What a branch is to have, and what has become of it so far."""

    name: str
    parts: Sequence[Part]
    title: str
    description: str = ""
    # Of the one that variants go to.
    guard: VersionGuard | None = None
    planned: list[Change] = field(default_factory=list)
    commits: list[CommitInfo] = field(default_factory=list)
    pull_request: str | None = None
    # What is changed instead of the branch: that of the pull asked.
    revision: str | None = None

    def as_data(self) -> dict[str, Any]:
        """Return what was done as it goes into JSON."""
        return {
            "branch": self.name,
            "pull-request": self.pull_request,
            "api-changes": self.guard.as_data() if self.guard else [],
            "commits": [{"oid": c.oid, "url": redact(c.commit_url)} for c in self.commits],
            "changes": [
                {"parts": list(c.parts), "add": sorted(c.add), "remove": sorted(c.remove)}
                for c in self.planned
            ],
        }

    def as_lines(self, *, dry_run: bool) -> list[str]:
        """Return what was done, or would be, for people."""
        if not self.planned:
            return [f"{self.name}: everything is there already"]
        if not dry_run:
            added = sum(len(change.add) for change in self.planned)
            removed = sum(len(change.remove) for change in self.planned)
            where = f" in {self.pull_request}" if self.pull_request else ""
            return [f"{self.name}: {added} files added or changed, {removed} removed{where}"]
        lines = [f"{self.name}, {len(self.planned)} commits:"]
        for change in self.planned:
            lines += [f"  add     {path} ({file.size})" for path, file in change.add.items()]
            lines += [f"  remove  {path}" for path in change.remove]
        return lines


@dataclass(frozen=True)
class Report:
    """What an upload did, or would do."""

    bundle: Bundle
    asked: Asked
    url: str
    branches: Sequence[Branch]

    def as_data(self) -> dict[str, Any]:
        """Return the report as it goes into JSON."""
        return {
            "repository": self.asked.repo_id,
            "url": self.url,
            "dry-run": self.asked.dry_run,
            "variants": [variant.name for variant in self.bundle.variants],
            "sandbox": {name: each.state for name, each in self.bundle.sandbox.items()},
            "branches": [branch.as_data() for branch in self.branches],
        }

    def as_text(self) -> str:
        """Return the report for people."""
        dry_run = self.asked.dry_run
        lines = [line for branch in self.branches for line in branch.as_lines(dry_run=dry_run)]
        return "\n".join([*lines, f"{'it would be at ' if dry_run else ''}{self.url}"])


def upload(bundle: Bundle, asked: Asked) -> Report:
    """Upload, or only look what would change."""
    hub: Hub | None = None
    branches = _list_branches(bundle, asked)
    failed = commits = 0
    while True:
        try:
            hub = hub or Hub(asked.repo_id, may_write=not asked.dry_run)
            _prepare(hub, asked)
            for branch in branches:
                _bring(hub, branch, asked)
            return Report(bundle, asked, hub.url, branches)
        except Exception as error:
            made = sum(len(branch.commits) for branch in branches)
            failed, commits = (1 if made > commits else failed + 1), made
            # All of it may be done again: what has arrived is found to be there.
            if may_go_better(error, failed):
                pause(error, failed)
                continue
            if is_conflict(error):
                error = _never_at_rest(asked)
            explained = explain(error, asked.repo_id, hub.token if hub else None)
            if explained is None:
                raise
            # A traceback may show what a request was made of, so none gets out.
            raise explained from None


def _list_branches(bundle: Bundle, asked: Asked) -> list[Branch]:
    """Return each branch with its parts: builds first, so that the card never promises too much."""
    names = [variant.name for variant in bundle.variants]
    what = ", ".join(names) if len(names) < 4 else f"{len(names)} variants"
    title = f"{bundle.read_one('name')} {asked.branch}: "
    if UNKNOWN in (each.state for each in bundle.sandbox.values()):
        complain("warning", "it is not known whether this was built in Nix's sandbox")
    guard = VersionGuard(bundle, asked.repo_id, asked.branch)
    told = describe_states(bundle.sandbox)
    builds = Branch(asked.branch, bundle.parts, title + what, told, guard)
    card = bundle.card
    if card is None:
        complain("warning", f"there is no CARD.md, so {CARD} stays as it is")
        return [builds]
    if asked.repo_id not in read_file(card.source).decode(errors="replace"):
        complain("warning", f"the card does not name {asked.repo_id}; see hub.repo-id")
    readme = Part(CARD, {CARD: card}, (CARD,))
    if asked.branch == MAIN:
        return [Branch(MAIN, [*bundle.parts, readme], title + what, told, guard)]
    return [builds, Branch(MAIN, [readme], title + CARD)]


def _prepare(hub: Hub, asked: Asked) -> None:
    """See to it that repository and branch are there."""
    private = hub.is_private()
    if asked.private and private is False:
        want = "a private one, since --private is given"
        fix = "make it private in its settings, or leave --private out"
        problem = Problem(asked.repo_id, "a public repository", want, fix)
        headline = f"{asked.repo_id} is public, but --private is given"
        raise KernelBuilderError(headline, [problem])
    if asked.dry_run:
        return
    if private is None:
        hub.create(private=asked.private)
    if asked.branch != MAIN and not asked.create_pr and hub.find_commit(asked.branch) is None:
        hub.create_branch(asked.branch)


def _bring(hub: Hub, branch: Branch, asked: Asked) -> None:
    """Change a branch, or a pull request for it, until it has the parts as they are here.

    Called again, it goes on from there; of a dry run, only what would be done is noted.
    """
    if asked.dry_run:
        start = hub.find_commit(branch.name) if hub.is_private() is not None else None
        there = hub.list_files(start) if start else {}
        branch.planned = plan_commits(compare(branch.parts, there))
        if branch.guard and branch.planned and start:
            branch.guard.check(hub, start, there)
        return
    title = f"{branch.title} [{_fingerprint(branch)}]" if asked.create_pr else branch.title
    for vain in range(VAIN_ROUNDS + 1):
        commit = hub.find_commit(branch.revision or branch.name)
        if commit is None:
            raise _no_branch(hub, branch)
        there = hub.list_files(commit)
        planned = plan_commits(compare(branch.parts, there))
        if not planned:
            return
        if branch.guard:
            branch.guard.check(hub, commit, there)
        if asked.create_pr and not branch.revision and (begun := hub.find_pull_request(title)):
            branch.pull_request = branch.revision = begun
            continue
        if vain == VAIN_ROUNDS:
            raise _does_not_keep(hub, planned)
        branch.planned = branch.planned or planned
        for number, change in enumerate(planned, 1):
            where = branch.revision or branch.name
            count = f" ({number}/{len(planned)})" if len(planned) > 1 else ""
            files = f"{len(change.add)} files, {len(change.remove)} to remove"
            say(f"{where}{count}: {', '.join(change.parts)}: {files}")
            begins = asked.create_pr and not branch.revision
            told = branch.description
            done = hub.commit(where, commit, change, title, told, create_pr=begins)
            commit = done.oid
            branch.commits.append(done)
            if begins:
                branch.pull_request, branch.revision = done.pr_url, done.pr_revision


def _fingerprint(branch: Branch) -> str:
    """Return a few letters that stand for a content, to find a pull request that has it."""
    files = (item for part in branch.parts for item in part.files.items())
    lines = sorted(f"{file.sha256} {path}" for path, file in files)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]


def _no_branch(hub: Hub, branch: Branch) -> KernelBuilderError:
    at = f"{hub.repo_id}, branch {branch.name}"
    fix = "let someone who may write there upload first, or make the branch"
    problem = Problem(at, "no such branch", "a branch", fix)
    return KernelBuilderError(f"{hub.repo_id} has no branch {branch.name}", [problem])


def _does_not_keep(hub: Hub, planned: Sequence[Change]) -> KernelBuilderError:
    paths = sorted(path for change in planned for path in (*change.add, *change.remove))
    found = f"after {VAIN_ROUNDS} uploads, not as it was sent: " + ", ".join(paths[:8])
    fix = "run it again; if it stays so, tell the Hub's people"
    problem = Problem(hub.repo_id, found, "the files that were sent", fix)
    return KernelBuilderError(f"{hub.repo_id} does not keep what it gets", [problem])


def _never_at_rest(asked: Asked) -> KernelBuilderError:
    found = f"{CONFLICTS} times, someone else had changed it in the meantime"
    fix = "run it again when fewer uploads are under way; what has arrived stays"
    problem = Problem(f"{asked.repo_id}, branch {asked.branch}", found, "a branch at rest", fix)
    return KernelBuilderError(f"the upload to {asked.repo_id} was overtaken by others", [problem])
