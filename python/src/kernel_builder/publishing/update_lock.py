"""`update-lock`: let the flakes of several kernels name the same commit of kernel-builder."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import click

from kernel_builder import nix
from kernel_builder.commands import options
from kernel_builder.kernel.folder import Kernel, refer_to_flake
from kernel_builder.machine.files import read_file
from kernel_builder.machine.git import find_commit, find_git_root, neutral_variables, stage_files
from kernel_builder.machine.process import run
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.names import show
from kernel_builder.messages.terminal import print_result
from kernel_builder.settings import current_settings

INPUT: Final = "kernel-builder"
LOCK: Final = "flake.lock"
DIGITS_SHOWN: Final = 12


@click.command(short_help="Move kernels to one kernel-builder.")
@options.kernel_folders
@click.option("--no-commit", is_flag=True, help="Leave the changed flake.lock files to you.")
def update_lock(folders: Sequence[Path], no_commit: bool) -> None:
    """Update kernel-builder in the flake.lock of each kernel in DIR (default: this folder).

    All get the newest commit of the address in their flake.nix, or the one that --builder names,
    such as github:OWNER/kernel-builder/COMMIT. Other inputs stay. The changed files of a repository
    are one commit.

    \b
      kernel-builder update-lock kernels/*
    """
    flakes = {folder: Kernel(folder).flake for folder in folders}
    found = list(dict.fromkeys(flake for flake in flakes.values() if flake is not None))
    if without := [show(folder) for folder in flakes if flakes[folder] is None]:
        fix = "leave them out: the program kernel-builder builds them itself"
        problem = Problem("\n".join(without), "no flake.nix", "kernels with one", fix)
        raise KernelBuilderError("these kernels have no flake.lock", [problem])
    before = {flake: _read_locked(flake) for flake in found}
    for flake in found:
        nix.lock_input(*refer_to_flake(flake), INPUT, current_settings().builder)
    after = {flake: _read_locked(flake) for flake in found}
    revisions = {each.get("rev") or each.get("narHash") or "nothing" for each in after.values()}
    if len(revisions) > 1:
        text = "\n".join(f"{show(flake)}: {each.get('rev')}" for flake, each in after.items())
        fix = "let their flake.nix name one address, or name a commit: --builder REF"
        problem = Problem(LOCK, text, "the same commit in each", fix)
        raise KernelBuilderError(f"the kernels are locked to several {INPUT}s", [problem])
    (revision,) = revisions
    changed = [flake for flake in found if before[flake] != after[flake]]
    commits = [] if no_commit else _commit(changed, revision)
    print_result(
        {"revision": revision, "changed": [*map(str, changed)], "commits": commits},
        f"{INPUT} {revision}\n{len(changed)} of {len(found)} locks changed"
        + "".join(f"\ncommit {commit}" for commit in commits),
    )


def _read_locked(flake: Path) -> Any:
    """Return the locked kernel-builder of a flake, {} without a lock or in one without it."""
    file = flake / LOCK
    data = json.loads(read_file(file)) if file.exists() else {}
    nodes = data.get("nodes", {})
    name = nodes.get(data.get("root"), {}).get("inputs", {}).get(INPUT)
    return nodes.get(name, {}).get("locked", {})


def _commit(flakes: Sequence[Path], revision: str) -> list[str]:
    """Commit the locks of flakes, as one commit of each repository; return the commits."""
    commits: list[str] = []
    for root in dict.fromkeys(filter(None, map(find_git_root, flakes))):
        files = [str(flake / LOCK) for flake in flakes if find_git_root(flake) == root]
        message = f"Update {INPUT} to {revision[:DIGITS_SHOWN]}"
        stage_files(root, files)
        words = ["commit", "--quiet", "--message", message, "--only", "--", *files]
        done = run(["git", "-C", str(root), *words], environment=neutral_variables(root))
        if done.status:
            said = (done.stdout + done.stderr).strip()
            fix = "commit the files by hand, or give --no-commit"
            problem = Problem(str(root), said, "a commit", fix)
            raise KernelBuilderError("the locks are not committed", [problem])
        commits += filter(None, [find_commit(root, "HEAD")])
    return commits
