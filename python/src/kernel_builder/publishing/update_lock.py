"""`update-lock`: let the flakes of several kernels name the same commit of kernel-builder."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import click

from kernel_builder import nix
from kernel_builder.commands import options
from kernel_builder.kernel.flakes import LOCK, read_lock, refer_to_flake
from kernel_builder.kernel.folder import Kernel
from kernel_builder.machine.files import FILE, require_kind
from kernel_builder.machine.git import find_git_root
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.names import join, show
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
def update_lock(folders: Sequence[Path]) -> None:
    """Update kernel-builder in the flake.lock of each kernel in DIR (default: this folder).

    All get the newest commit of the address in their flake.nix, or the one that --builder names,
    such as github:OWNER/kernel-builder/COMMIT. Other inputs stay. Commit the changed files with the
    command that is printed for each repository.

    \b
      kernel-builder update-lock kernels/*
    """
    flakes = {folder: Kernel(folder).flake for folder in folders}
    found = list(dict.fromkeys(flake for flake in flakes.values() if flake is not None))
    if without := [show(folder) for folder in flakes if flakes[folder] is None]:
        fix = "leave them out: the program kernel-builder builds them itself"
        problem = Problem("\n".join(without), "no flake.nix", "kernels with one", fix)
        raise KernelBuilderError("these kernels have no flake.lock", [problem])
    for flake in found:
        require_kind(flake / LOCK, FILE)
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
    commands = _propose(changed, revision)
    print_result(
        {"revision": revision, "changed": [*map(str, changed)], "commands": commands},
        f"{PROJECT} {revision}\n{len(changed)} of {len(found)} locks changed"
        + "".join(f"\ncommit them: {command}" for command in commands),
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
        is_node = isinstance(following, str)
        node = nodes[following] if is_node else _follow(flake, following)[1]
    return (path, node) if is_node else (_follow(flake, following)[0], node)


def _propose(flakes: Sequence[Path], revision: str) -> list[str]:
    """Return commands that commit the locks of flakes, one for each repository.

    A commit runs programs that the repository's own .git/config names, so it is the user's.
    """
    commands: list[str] = []
    for root in dict.fromkeys(filter(None, map(find_git_root, flakes))):
        files = [str(flake / LOCK) for flake in flakes if find_git_root(flake) == root]
        git, message = ["git", "-C", str(root)], f"Update {PROJECT} to {revision[:DIGITS_SHOWN]}"
        commit = join([*git, "commit", "-m", message, "--", *files])
        commands.append(f"{join([*git, 'add', '--', *files])} && {commit}")
    return commands
