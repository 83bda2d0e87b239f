"""`status`: the variants on the Hub, compared with those that a kernel's commit gives."""

import os
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, Final

import click

from kernel_builder.hub import REPOSITORY
from kernel_builder.hub.target import choose_repository, name_branch
from kernel_builder.kernel.folder import Kernel
from kernel_builder.kernel.several import attempt_each, find_kernels, name_kernels
from kernel_builder.machine.git import find_git_root, run_git
from kernel_builder.messages.errors import KernelBuilderError, Problem, UsageError, shorten
from kernel_builder.messages.names import show
from kernel_builder.messages.terminal import complain, format_columns, print_result
from kernel_builder.publishing.published import Branch, Published, read_branch
from kernel_builder.settings import current_settings

# The exit status if a variant has one of the states of --fail-on.
FOUND: Final = 3
FILES_SHOWN: Final = 3
COLUMNS: Final = ("kernel", "variant", "state", "commit", "builder", "date", "why")
# Flakes of older builders do not say which variants bundles have.
FACTS: Final = "it: { inherit (it) hub version; bundled = it.bundled or null; }"
Count = Callable[[str], int | None]


class State(StrEnum):
    """The state of a variant."""

    PUBLISHED = "published"
    STALE = "stale"
    MISSING = "missing"
    RETIRED = "retired"
    DAMAGED = "damaged"
    FAILED = "failed"


NAMED: Final = [each.value for each in State if each not in (State.PUBLISHED, State.FAILED)]


def _read_states(_context: click.Context, _option: Any, text: str) -> list[str]:
    states = text.split(",") if text else []
    if unknown := [each for each in states if each not in NAMED]:
        raise click.BadParameter(f"{', '.join(unknown)!r} is none of {', '.join(NAMED)}")
    return states


@click.command(short_help="Compare the Hub with what a commit gives.")
@click.argument("places", metavar="[DIR|REPO]...", nargs=-1)
@click.option("--branch", default="", help="Look at this branch (default: as upload does).")
@click.option("--repo-id", default="", metavar="OWNER/NAME", help="The repository of the kernel.")
@click.option(
    "--fail-on", "failing", default="", metavar="STATE,...", callback=_read_states,
    help=f"Exit with {FOUND} if there is such a variant: {', '.join(NAMED)}.",
)  # fmt: skip
@click.option("--all", "show_all", is_flag=True, help="Also list variants of unpublished kernels.")
def status(
    places: Sequence[str], branch: str, repo_id: str, failing: Sequence[str], show_all: bool
) -> int:
    """Compare the variants on the Hub with those that the kernel in DIR (default: this folder) has.

    A variant is published, stale (commits since its build touch the kernel), missing, retired (no
    row of the matrix gives it any more) or damaged (files differ from the digests of the build).

    Several DIR, such as ./kernels/*, are compared in one table. Of REPO, owner/name on the Hub,
    it is said what is there and whether the digests are right; the branch is that of the newest
    version. A DIR of this form begins with ./ here. Nothing is changed.

    \b
      kernel-builder status ./kernels/*
      kernel-builder status --fail-on stale,missing,damaged
    """
    repositories = [each for each in places if re.fullmatch(REPOSITORY, each)]
    for each in filter(os.path.exists, repositories):
        complain("note", f"{show(each)} is taken for the Hub's; the folder is ./{show(each)}")
    paths = [Path(each) for each in places if each not in repositories]
    folders = find_kernels(paths) if paths or not repositories else []
    if repo_id and (repositories or len(folders) > 1):
        raise click.UsageError("--repo-id is for one DIR")
    if current_settings().offline:
        problem = Problem("--offline", "a question to the Hub", "a network", "leave it out")
        raise UsageError("the Hub cannot be asked offline", [problem])
    kernels: dict[str, Path | None] = {**dict(zip(name_kernels(folders), folders))}
    kernels |= dict.fromkeys(repositories)

    def examine(label: str) -> dict[str, Any]:
        folder = kernels[label]
        found = compare_kernel(folder, repo_id, branch) if folder else read_published(label, branch)
        return {"kernel": label, **found}

    results, errors = [], []
    for label, found in zip(kernels, attempt_each(kernels, examine, "comparing")):
        if isinstance(found, KernelBuilderError):
            errors.append(found)
            rows = [_make_row("", State.FAILED, found.headline)]
            found = {"kernel": label, "variants": rows, "problems": found.as_data()}
        results.append(found)
    print_result({"kernels": results}, format_status(results, show_all=show_all))
    for error in errors:
        complain("error", str(error))
    states = {row["state"] for each in results for row in each["variants"]}
    return 1 if errors else FOUND if states & {*failing} else 0


def compare_kernel(folder: Path, repo_id: str, branch: str) -> dict[str, Any]:
    """Return the state of all variants of a kernel.

    Raises KernelBuilderError if the kernel cannot be evaluated, or the Hub not be asked.
    """
    kernel = Kernel(folder)
    facts, given = kernel.evaluate("manifest", FACTS), kernel.evaluate("variants")
    repository = choose_repository(repo_id, facts)
    name = branch or name_branch(facts["hub"], facts["version"])
    found = read_branch(repository, name)
    expected = given if facts["bundled"] is None else facts["bundled"]
    # A lock names the builder; the flake of several kernels is above their folders.
    flake = kernel.flake or kernel.folder
    touched = [kernel.folder, flake / "flake.nix", flake / "flake.lock"]
    count: Count | None = None
    if find_git_root(kernel.folder):
        count = cache(lambda commit: _count_commits(kernel.folder, commit, touched))
    rows = []
    for variant in [*given, *(each for each in found.variants if each not in given)]:
        if published := found.variants.get(variant):
            rows.append(judge(variant, published, given, count))
        elif variant in expected:
            rows.append(_make_row(variant, State.MISSING))
    return {"folder": str(folder), **_describe_branch(repository, found), "variants": rows}


def read_published(repo_id: str, branch: str) -> dict[str, Any]:
    """Return the variants of a repository, of which nothing is expected. Raises as above."""
    found = read_branch(repo_id, branch)
    if found.lacks:
        fix = "correct the names, or log in: `hf auth login`"
        raise KernelBuilderError(found.lacks, [Problem(repo_id, found.lacks, "a branch", fix)])
    rows = [judge(name, each, None, None) for name, each in found.variants.items()]
    return {**_describe_branch(repo_id, found), "variants": rows}


def _describe_branch(repository: str, found: Branch) -> dict[str, str]:
    facts = {"repository": repository, "branch": found.name, "commit": found.head}
    return {**facts, "lacks": found.lacks}


def judge(
    variant: str, published: Published, given: Sequence[str] | None, count: Count | None
) -> dict[str, Any]:
    """Return the row of a published variant.

    `given` are the variants of the matrix, and `count` returns the number of commits since another
    one; None if there is nothing to compare with.
    """
    commits = count(published.commit) if count and published.commit else None
    state, why = State.PUBLISHED, ""
    if published.damage:
        state, why = State.DAMAGED, ", ".join(shorten(published.damage, FILES_SHOWN))
    elif given is not None and variant not in given:
        state = State.RETIRED
    elif count and published.dirty:
        state, why = State.STALE, "built with uncommitted changes"
    elif count and commits is None:
        known = "is not in this repository" if published.commit else "is not stated"
        state, why = State.STALE, f"its commit {known}"
    elif commits:
        state, why = State.STALE, f"{commits} commit{'s' if commits > 1 else ''} since then"
    if published.digests == "none":
        why = "; ".join(filter(None, (why, "no digests")))
    return {**_make_row(variant, state, why, published), "commits": commits}


def _make_row(
    variant: str, state: State, why: str = "", published: Published | None = None
) -> dict[str, Any]:
    return {"variant": variant, "state": state, "why": why, **vars(published or Published())}


def format_status(kernels: Sequence[Mapping[str, Any]], *, show_all: bool) -> str:
    """Return the table of all variants, and a line for each kernel.

    Without `show_all`, kernels that are not published have the line alone.
    """
    columns = COLUMNS if len(kernels) > 1 else COLUMNS[1:]
    rows, ends = [], []
    for each in kernels:
        variants = each["variants"]
        # Of a kernel that is not on the Hub, the line below says all.
        shown = [] if each.get("lacks") and not show_all else variants
        rows += [{**each, **row, "commit": row["commit"][:12]} for row in shown]
        if "branch" in each:
            counts = Counter(row["state"] for row in variants)
            said = ", ".join(f"{counts[state]} {state}" for state in State if counts[state])
            place = each["lacks"] or f"{each['repository']}, {each['branch']}"
            name = each["kernel"] if "folder" in each else f"the Hub's {each['kernel']}"
            ends.append(f"{name}: {place}: {said or 'no variant'}")
    # Names come from strangers.
    lines = [columns, *([show(row[name]) for name in columns] for row in rows)]
    return "\n".join([*([*format_columns(lines), ""] if rows else []), *map(show, ends)])


def _count_commits(folder: Path, commit: str, paths: Sequence[Path]) -> int | None:
    """Return how many commits between one and HEAD touch some paths; None if it is not there."""
    ends = f"{commit}...HEAD"
    done = run_git(
        folder, "--literal-pathspecs", "rev-list", "--count", ends, "--", *map(str, paths)
    )
    return int(done.stdout) if done.status == 0 else None
