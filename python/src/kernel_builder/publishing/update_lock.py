"""`update-lock`: let the flakes of several kernels name the same commit of kernel-builder."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import click

from kernel_builder import nix
from kernel_builder.commands import options
from kernel_builder.kernel.folder import Kernel, refer_to_flake
from kernel_builder.kernel.inputs import LOCK, read_lock
from kernel_builder.machine.git import find_commit, find_git_root, neutral_variables, stage_files
from kernel_builder.machine.process import run
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.names import show
from kernel_builder.messages.terminal import print_result
from kernel_builder.nix.quoting import nix_string
from kernel_builder.settings import current_settings

PROJECT: Final = "kernel-builder"
FUNCTION: Final = "genKernelFlakeOutputs"
# The inputs whose library has what a kernel's flake calls, whatever their names are.
PROVIDERS: Final = f"""inputs: builtins.filter (name: let input = inputs.${{name}}; in
  (builtins.tryEval (input ? lib.{FUNCTION} || input ? lib.genFlakeOutputs)).value)
  (builtins.attrNames inputs)"""
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
    before = {flake: read_lock(flake) for flake in found}
    inputs = {flake: _find_input(flake) for flake in found}
    for flake in found:
        name, builder = "/".join(inputs[flake]), current_settings().builder
        nix.lock_inputs(*refer_to_flake(flake), name, builder)
    after = {flake: _follow(flake, inputs[flake])[1]["locked"] for flake in found}
    revisions = {each.get("rev") or each["narHash"] for each in after.values()}
    if len(revisions) > 1:
        text = "\n".join(f"{show(flake)}: {each.get('rev')}" for flake, each in after.items())
        fix = "let their flake.nix name one address, or name a commit: --builder REF"
        problem = Problem(LOCK, text, "the same commit in each", fix)
        raise KernelBuilderError(f"the kernels are locked to several {PROJECT}s", [problem])
    (revision,) = revisions
    changed = [flake for flake in found if before[flake] != read_lock(flake)]
    commits = [] if no_commit else _commit(changed, revision)
    print_result(
        {"revision": revision, "changed": [*map(str, changed)], "commits": commits},
        f"{PROJECT} {revision}\n{len(changed)} of {len(found)} locks changed"
        + "".join(f"\ncommit {commit}" for commit in commits),
    )


def _find_input(flake: Path) -> list[str]:
    """Return the names that lead from a flake to the input that is a kernel-builder.

    The flake gets a lock if it has none. Raises KernelBuilderError if it has no such input, or
    several.
    """
    reference = refer_to_flake(flake)
    nix.lock_inputs(*reference)
    place = Path(nix.read_flake(*reference).path, flake.relative_to(find_git_root(flake) or flake))
    inputs = f"(builtins.getFlake {nix_string(f'path:{quote(str(place))}')}).inputs"
    names = nix.evaluate(["--impure", "--expr", inputs], PROVIDERS)
    if len(names) != 1:
        known = ", ".join(names or read_lock(flake)[1]) or "no inputs"
        found = f"{'several' if names else 'none'} among {known}"
        want = f"one input whose lib has {FUNCTION}"
        fix = "name the one to move: nix flake lock --update-input NAME"
        problem = Problem(show(flake / "flake.nix"), found, want, fix)
        raise KernelBuilderError(f"it is not known which input is {PROJECT}", [problem])
    return _follow(flake, names)[0]


def _follow(flake: Path, path: list[str]) -> tuple[list[str], Mapping[str, Any]]:
    """Return the names that lead to an input without another one that it follows, and its node."""
    nodes, inputs = read_lock(flake)
    node: Mapping[str, Any] = {"inputs": inputs}
    for name in path:
        # A node, or the names that lead to the input that this one follows.
        following = node["inputs"][name]
        own = isinstance(following, str)
        node = nodes[following] if own else _follow(flake, following)[1]
    return (path, node) if own else (_follow(flake, following)[0], node)


def _commit(flakes: Sequence[Path], revision: str) -> list[str]:
    """Commit the locks of flakes, as one commit of each repository; return the commits."""
    commits: list[str] = []
    for root in dict.fromkeys(filter(None, map(find_git_root, flakes))):
        files = [str(flake / LOCK) for flake in flakes if find_git_root(flake) == root]
        message = f"Update {PROJECT} to {revision[:DIGITS_SHOWN]}"
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
