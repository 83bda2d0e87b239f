"""The options --missing and --stale: build only what the Hub lacks.

Every `build` imports this module, so the Hub's library is imported only where it is asked.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

import click

from kernel_builder.commands.results import SELECT
from kernel_builder.kernel.folder import Kernel
from kernel_builder.machine.git import find_git_root
from kernel_builder.messages.errors import KernelBuilderError, Problem, render
from kernel_builder.messages.names import show
from kernel_builder.messages.terminal import complain


def find_needed(
    kernel: Kernel,
    names: Sequence[str],
    backends: Sequence[str],
    repo_id: str = "",
    branch: str = "",
    *,
    also_stale: bool,
) -> list[str]:
    """Return the variants that the Hub lacks, or has damaged, among those that were asked for.

    Raises KernelBuilderError if the Hub cannot be asked, or has builds of newer commits.
    """
    from kernel_builder.publishing.status import State, compare_kernel, require_network

    if kernel.targets:
        raise click.UsageError("--missing is for whole variants, and not for --capability")
    require_network()
    found, variants = compare_kernel(kernel, repo_id, branch)
    place, rows = f"{found['repository']}, {found['branch']}", found["variants"]
    # Of the same inputs, it does not matter which commit it was.
    kept = (State.PUBLISHED, State.STALE)
    others = [each for each in rows if each["state"] in kept and each["changes"] != []]
    if foreign := [each["variant"] for each in others if "name" in (each["changes"] or ())]:
        want, fix = "builds of this kernel", "correct repo-id; if you renamed it, raise `version`"
        problem = Problem(place, f"another name in {', '.join(foreign)}", want, fix)
        raise KernelBuilderError(f"{found['repository']} has another kernel", [problem])
    if newer := [each for each in others if each["ahead"] and not each["commits"]]:
        fix = "build from a newer checkout: git pull"
        problem = Problem(place, _name_commits(newer), "builds of this commit, or older ones", fix)
        raise KernelBuilderError(f"the Hub has newer builds of {show(kernel.folder)}", [problem])
    states = {State.MISSING, State.DAMAGED} | ({State.STALE} if also_stale else set())
    lacked = {each["variant"]: each["state"] in states for each in rows}
    requested = [
        each["name"] for each in variants
        if each["name"] in names
        or (each["bundle"] and (each["backend"] in backends or not (names or backends)))
    ]  # fmt: skip
    needed = [name for name in requested if lacked.get(name, True)]
    unknown = [each for each in others if each["commit"] and each["commits"] is None]
    if needed and unknown and not also_stale and find_git_root(kernel.folder):
        fix = "git fetch, or build them again, too: --stale"
        problem = Problem(place, _name_commits(unknown), "builds of commits that are here", fix)
        complain("warning", render("the Hub has builds of other commits", [problem]))
    return needed


def _name_commits(rows: Sequence[Mapping[str, str]]) -> str:
    return "\n".join(f"{each['variant']}: commit {each['commit']}" for each in rows)


def _select(context: click.Context, option: click.Parameter, is_given: bool) -> None:
    """Let the build select variants; --stale stands for both options."""
    also_stale = option.name == "stale"
    if is_given and (also_stale or SELECT not in context.meta):
        context.meta[SELECT] = partial(find_needed, also_stale=also_stale)


MISSING: Final = click.Option(
    ["--missing"], is_flag=True, expose_value=False, callback=_select,
    help="Only variants that the Hub lacks or has damaged.",
)  # fmt: skip
STALE: Final = click.Option(
    ["--stale"], is_flag=True, expose_value=False, callback=_select,
    help="As --missing, and those that the Hub has of other inputs.",
)  # fmt: skip
