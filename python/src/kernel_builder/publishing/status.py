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
from kernel_builder.publishing.identity import find_changes
from kernel_builder.publishing.published import Branch, Published, read_branch
from kernel_builder.settings import current_settings

# The exit status if a variant has one of the states of --fail-on.
FOUND: Final = 3
FILES_SHOWN: Final = 3
COLUMNS: Final = ("kernel", "variant", "state", "commit", "builder", "date", "why")
# Flakes of older builders do not say which variants bundles have, and from which inputs.
FACTS: Final = """it: { inherit (it) hub version; bundled = it.bundled or null; variants = map (v: {
  inherit (v) name backend; bundle = v.bundle or true; identity = v.identity or null; })
  it.variants; }"""
# The commits since another one, and those of that one that are not here; None if it is not here.
Count = Callable[[str], tuple[int, int] | None]


class State(StrEnum):
    """The state of a variant."""

    PUBLISHED = "published"
    STALE = "stale"
    MISSING = "missing"
    RETIRED = "retired"
    DAMAGED = "damaged"
    FAILED = "failed"


NAMED: Final = [each.value for each in State if each not in (State.PUBLISHED, State.FAILED)]


def _read_states(_context: click.Context, _option: Any, texts: Sequence[str]) -> list[str]:
    states = [state for text in texts for state in text.split(",") if state]
    if unknown := [each for each in states if each not in NAMED]:
        raise click.BadParameter(f"{', '.join(unknown)!r} is none of {', '.join(NAMED)}")
    return states


@click.command(short_help="Compare the Hub with what a commit gives.")
@click.argument("places", metavar="[DIR|REPO]...", nargs=-1)
@click.option("--branch", default="", help="Look at this branch (default: as upload does).")
@click.option("--repo-id", default="", metavar="OWNER/NAME", help="The repository of the kernel.")
@click.option(
    "--fail-on", "failing", multiple=True, metavar="STATE,...", callback=_read_states,
    help=f"Exit with {FOUND} if there is such a variant: {', '.join(NAMED)}.",
)  # fmt: skip
@click.option("--all", "show_all", is_flag=True, help="Also list variants of unpublished kernels.")
def status(
    places: Sequence[str], branch: str, repo_id: str, failing: Sequence[str], show_all: bool
) -> int:
    """Compare the variants on the Hub with those that the kernel in DIR (default: this folder) has.

    A variant is published, stale (another build would come out), missing, retired (no row of the
    matrix gives it any more) or damaged (files differ from the digests of the build).

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
    require_network()
    kernels: dict[str, Path | None] = {**dict(zip(name_kernels(folders), folders))}
    kernels |= dict.fromkeys(repositories)

    def examine(label: str) -> dict[str, Any]:
        folder = kernels[label]
        if folder is None:
            return {"kernel": label, **read_published(label, branch)}
        found, _ = compare_kernel(Kernel(folder), repo_id, branch)
        return {"kernel": label, "folder": str(folder), **found}

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
    rows = [row for each in results for row in each["variants"]]
    states = {row["state"] for row in rows}
    # A retired variant may be damaged, too.
    states |= {State.DAMAGED for row in rows if row["damage"]}
    return 1 if errors else FOUND if states & {*failing} else 0


def require_network() -> None:
    """Raise UsageError with --offline."""
    if current_settings().offline:
        problem = Problem("--offline", "a question to the Hub", "a network", "leave it out")
        raise UsageError("the Hub cannot be asked offline", [problem])


def compare_kernel(
    kernel: Kernel, repo_id: str, branch: str
) -> tuple[dict[str, Any], Sequence[Mapping[str, Any]]]:
    """Return the state of all variants of a kernel, and those of its own system as FACTS has them.

    Raises KernelBuilderError if the kernel cannot be evaluated, or the Hub not be asked.
    """
    facts = kernel.evaluate("manifest", FACTS)
    repository = choose_repository(repo_id, facts)
    found = read_branch(repository, branch or name_branch(facts["hub"], facts["version"]))
    identities = {each["name"]: each["identity"] for each in facts["variants"]}
    given = [*(facts["bundled"] or ()), *identities]
    if facts["bundled"] is None or not found.variants.keys() <= {*given}:
        # Variants of other systems that no bundle has are named here alone.
        given = [*kernel.evaluate("variants")]
    given = [*dict.fromkeys(given)]
    expected = given if facts["bundled"] is None else facts["bundled"]
    # A lock names the builder; the flake of several kernels is above their folders.
    flake = kernel.flake or kernel.folder
    touched = [kernel.folder, flake / "flake.nix", flake / "flake.lock"]
    count: Count | None = None
    if find_git_root(kernel.folder):
        count = cache(lambda commit: _count_commits(kernel.folder, commit, touched))
    whole = [each for each in given if each in found.stated and not found.variants[each].damage]
    comparable = {each: found.stated[each] for each in whole}
    changes = find_changes(kernel, comparable, identities)
    rows = []
    for variant in [*given, *(each for each in found.variants if each not in given)]:
        if published := found.variants.get(variant):
            rows.append(judge(variant, published, given, count, changes.get(variant)))
        elif variant in expected:
            rows.append(_make_row(variant, State.MISSING))
    return {**_describe_branch(repository, found), "variants": rows}, facts["variants"]


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
    variant: str,
    published: Published,
    given: Sequence[str] | None,
    count: Count | None,
    changes: Sequence[str] | None = None,
) -> dict[str, Any]:
    """Return the row of a published variant.

    `given` are the variants of the matrix, and `count` returns the number of commits since another
    one; None if there is nothing to compare with. `changes` are those of the inputs since the
    build; None if they are not known, and commits have to do.
    """
    counted = count(published.commit) if count and published.commit else None
    damage = ", ".join(shorten(published.damage, FILES_SHOWN))
    state, notes = State.PUBLISHED, []
    # A path of a file is no variant's name.
    if given is not None and variant not in given and "/" not in variant:
        state, notes = State.RETIRED, [f"damaged: {damage}"] if damage else []
    elif damage:
        state, notes = State.DAMAGED, [damage]
    elif given is not None:
        if count and published.dirty:
            notes = ["built with uncommitted changes"]
        elif changes != []:
            notes = [f"changed: {', '.join(shorten(changes, FILES_SHOWN))}"] if changes else []
            notes += _describe_commits(published, counted) if count else []
        state = State.STALE if notes else State.PUBLISHED
        notes += ["inputs not compared"] if changes is None else []
    notes += ["no digests"] if published.digests == "none" else []
    row = _make_row(variant, state, "; ".join(notes), published)
    commits, ahead = counted or (None, None)
    return {**row, "commits": commits, "ahead": ahead, "changes": changes}


def _describe_commits(published: Published, counted: tuple[int, int] | None) -> list[str]:
    """Return how the commit of a build differs from this checkout's."""
    if counted is None:
        return [f"its commit is not {'in this repository' if published.commit else 'stated'}"]
    texts = zip(counted, ("since then", "of it not here"))
    return [f"{each} commit{'s' if each > 1 else ''} {text}" for each, text in texts if each]


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


def _count_commits(folder: Path, commit: str, paths: Sequence[Path]) -> tuple[int, int] | None:
    """Return how many commits that touch some paths only HEAD has, and how many only `commit` has.

    None if it is not in this repository.
    """
    words = ("rev-list", "--left-right", "--count", f"{commit}...HEAD", "--", *map(str, paths))
    done = run_git(folder, "--literal-pathspecs", *words)
    if done.status:
        return None
    ahead, commits = map(int, done.stdout.split())
    return commits, ahead
