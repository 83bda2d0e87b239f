"""One upload from its beginning to its end: builds to the version's branch, the card to main."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from kernel_builder.hub.branch import Outcome, bring, look
from kernel_builder.hub.bundle import Bundle
from kernel_builder.hub.client import Hub
from kernel_builder.hub.explain import explain
from kernel_builder.hub.files import Part
from kernel_builder.hub.retries import CONFLICTS, is_conflict, may_go_better, pause
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.terminal import complain

MAIN: Final = "main"
CARD: Final = "README.md"


@dataclass(frozen=True)
class Request:
    """What to upload where."""

    bundle: Bundle
    repo_id: str
    branch: str
    private: bool
    create_pr: bool
    dry_run: bool


@dataclass(frozen=True)
class Report:
    """What an upload did, or would do."""

    request: Request
    url: str
    outcomes: Sequence[Outcome]

    def as_data(self) -> dict[str, Any]:
        """Return the report as it goes into JSON."""
        return {
            "repository": self.request.repo_id,
            "url": self.url,
            "dry-run": self.request.dry_run,
            "variants": [variant.name for variant in self.request.bundle.variants],
            "branches": [
                {
                    "branch": outcome.branch,
                    "pull-request": outcome.pull_request,
                    "commits": [{"oid": each.oid, "url": each.url} for each in outcome.commits],
                    "changes": [
                        {"parts": list(c.parts), "add": sorted(c.add), "remove": sorted(c.remove)}
                        for c in outcome.planned
                    ],
                }
                for outcome in self.outcomes
            ],
        }

    def as_text(self) -> str:
        """Return the report for people."""
        lines = [line for outcome in self.outcomes for line in self._describe(outcome)]
        return "\n".join([*lines, f"{'it would be at ' if self.request.dry_run else ''}{self.url}"])

    def _describe(self, outcome: Outcome) -> list[str]:
        if not outcome.planned:
            return [f"{outcome.branch}: everything is there already"]
        if self.request.dry_run:
            lines = [f"{outcome.branch}, {len(outcome.planned)} commits:"]
            for change in outcome.planned:
                lines += [f"  add     {path} ({change.add[path].size})" for path in change.add]
                lines += [f"  remove  {path}" for path in change.remove]
            return lines
        added = sum(len(change.add) for change in outcome.planned)
        removed = sum(len(change.remove) for change in outcome.planned)
        where = f" in {outcome.pull_request}" if outcome.pull_request else ""
        return [f"{outcome.branch}: {added} files added or changed, {removed} removed{where}"]


def upload(request: Request) -> Report:
    """Upload, or only look what would change."""
    hub: Hub | None = None
    outcomes: dict[str, Outcome] = {}
    failed = commits = 0
    targets = _list_targets(request)
    while True:
        try:
            hub = hub or Hub(request.repo_id, may_write=not request.dry_run)
            _prepare(hub, request)
            for branch, parts in targets:
                _bring(hub, request, outcomes.setdefault(branch, Outcome(branch)), parts)
            return Report(request, hub.url, list(outcomes.values()))
        except Exception as error:
            made = sum(len(outcome.commits) for outcome in outcomes.values())
            failed, commits = (1 if made > commits else failed + 1), made
            # All of it may be done again: what has arrived is found to be there.
            if may_go_better(error, failed):
                pause(error, failed)
                continue
            if is_conflict(error):
                error = _never_at_rest(request)
            explained = explain(error, request.repo_id, hub.token if hub else None)
            if explained is None:
                raise
            # A traceback may show what a request was made of, so none gets out.
            raise explained from None


def _list_targets(request: Request) -> list[tuple[str, list[Part]]]:
    """Return each branch with its parts: builds first, so that the card never promises too much."""
    card = request.bundle.card
    if card is None:
        complain("warning", f"there is no CARD.md, so {CARD} stays as it is")
        return [(request.branch, request.bundle.parts)]
    if request.repo_id not in card.source.read_text(encoding="utf-8"):
        complain("warning", f"the card does not name {request.repo_id}; see hub.repo-id")
    readme = Part(CARD, {CARD: card}, (CARD,))
    if request.branch == MAIN:
        return [(MAIN, [*request.bundle.parts, readme])]
    return [(request.branch, request.bundle.parts), (MAIN, [readme])]


def _prepare(hub: Hub, request: Request) -> None:
    """See to it that repository and branch are there."""
    private = hub.is_private()
    if request.private and private is False:
        problem = Problem(
            at=request.repo_id,
            found="a public repository",
            want="a private one, since --private is given",
            fix="make it private in its settings, or leave --private out",
        )
        headline = f"{request.repo_id} is public, but --private is given"
        raise KernelBuilderError(headline, [problem])
    if request.dry_run:
        return
    if private is None:
        hub.create(private=request.private)
    if request.branch != MAIN and not request.create_pr and hub.find_commit(request.branch) is None:
        hub.create_branch(request.branch)


def _bring(hub: Hub, request: Request, outcome: Outcome, parts: list[Part]) -> None:
    if request.dry_run:
        look(hub, outcome, parts)
        return
    name = request.bundle.read_one("name")
    what = CARD if [part.name for part in parts] == [CARD] else _name_variants(request.bundle)
    bring(hub, outcome, parts, f"{name} {request.branch}: {what}", create_pr=request.create_pr)


def _never_at_rest(request: Request) -> KernelBuilderError:
    found = f"{CONFLICTS} times, someone else had changed it in the meantime"
    fix = "run it again when fewer uploads are under way; what has arrived stays"
    problem = Problem(f"{request.repo_id}, branch {request.branch}", found, "a branch at rest", fix)
    return KernelBuilderError(f"the upload to {request.repo_id} was overtaken by others", [problem])


def _name_variants(bundle: Bundle) -> str:
    names = [variant.name for variant in bundle.variants]
    return ", ".join(names) if len(names) < 4 else f"{len(names)} variants"
